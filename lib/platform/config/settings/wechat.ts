/** WeChat. */
import { setting } from "../parsers.ts";
import { secureOrigin } from "../values.ts";

export const wechatSettings = {
  FUXI_WECHAT_URL: setting(
    "Origin of the API of WeChat, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://api.weixin.qq.com",
  ),
};
