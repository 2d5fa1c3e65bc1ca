/** The pictures of the landing page. Made by `npm run screenshots`. */
import type { InThemes } from "#components/site/picture";
import type { Locale } from "#lib/platform/messages/schema";
import administratorsEn from "../../docs/pictures/landing-administrators.en.webp";
import administratorsZh from "../../docs/pictures/landing-administrators.zh.webp";
import administratorsDarkEn from "../../docs/pictures/landing-administrators-dark.en.webp";
import administratorsDarkZh from "../../docs/pictures/landing-administrators-dark.zh.webp";
import marketersEn from "../../docs/pictures/landing-marketers.en.webp";
import marketersZh from "../../docs/pictures/landing-marketers.zh.webp";
import marketersDarkEn from "../../docs/pictures/landing-marketers-dark.en.webp";
import marketersDarkZh from "../../docs/pictures/landing-marketers-dark.zh.webp";
import qrEn from "../../docs/pictures/landing-qr.en.webp";
import qrZh from "../../docs/pictures/landing-qr.zh.webp";
import qrDarkEn from "../../docs/pictures/landing-qr-dark.en.webp";
import qrDarkZh from "../../docs/pictures/landing-qr-dark.zh.webp";
import smsEn from "../../docs/pictures/landing-sms.en.webp";
import smsZh from "../../docs/pictures/landing-sms.zh.webp";
import smsDarkEn from "../../docs/pictures/landing-sms-dark.en.webp";
import smsDarkZh from "../../docs/pictures/landing-sms-dark.zh.webp";

export const pictures = {
  marketers: {
    en: { light: marketersEn, dark: marketersDarkEn },
    zh: { light: marketersZh, dark: marketersDarkZh },
  },
  qr: {
    en: { light: qrEn, dark: qrDarkEn },
    zh: { light: qrZh, dark: qrDarkZh },
  },
  sms: {
    en: { light: smsEn, dark: smsDarkEn },
    zh: { light: smsZh, dark: smsDarkZh },
  },
  administrators: {
    en: { light: administratorsEn, dark: administratorsDarkEn },
    zh: { light: administratorsZh, dark: administratorsDarkZh },
  },
} satisfies Record<string, Record<Locale, InThemes>>;
