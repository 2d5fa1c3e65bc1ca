/** Messages to recipients. */
import { setting } from "../parsers.ts";
import { secureOrigin } from "../values.ts";

export const outreachSettings = {
  FUXI_TWILIO_URL: setting(
    "Origin of the API of Twilio, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://api.twilio.com",
  ),
  FUXI_ALIBABA_SMS_URL: setting(
    "Origin of Alibaba Cloud SMS, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://dysmsapi.aliyuncs.com",
  ),
};
