/** SMS gateways: sends messages, and reads receipts and replies. */
import { config } from "#lib/platform/config";
import { alibabaGateway } from "./alibaba.ts";
import type { GatewayClient } from "./client.ts";
import { httpGateway } from "./http.ts";
import type { GatewaySettings } from "./schema.ts";
import { twilioGateway } from "./twilio.ts";

export { signedHeaders } from "./acs-signature.ts";
export type { GatewayClient } from "./client.ts";

interface GatewayOptions {
  settings: GatewaySettings;
  secret: string;
  /** The address of this gateway at Fuxi, which receives receipts and replies. */
  callback: string;
}

export function openGateway({ settings, secret, callback }: GatewayOptions): GatewayClient {
  const { FUXI_TWILIO_URL: twilio, FUXI_ALIBABA_SMS_URL: alibaba } = config();
  switch (settings.kind) {
    case "http":
      return httpGateway(settings, secret);
    case "twilio":
      return twilioGateway(settings, secret, { origin: twilio, callback });
    case "alibaba":
      return alibabaGateway(settings, secret, { origin: alibaba });
  }
}
