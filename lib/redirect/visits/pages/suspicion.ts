/**
 * The texts before a destination that a service of Google suspects. “Appropriate Usage” of Safe Browsing v5
 * (developers.google.com/safe-browsing/reference/Appropriate.Usage) and “User warnings” of Web Risk
 * (cloud.google.com/web-risk/docs/user-warnings) ask for cautious wording, one of the named pages about the threat, a notice that
 * the service makes mistakes, and the attribution with a link to the advisory of the service. No other warning may carry this
 * attribution.
 */
import type { ReputationService, Threat } from "#lib/basics/abuse/schema";
import type { Suspicion } from "#lib/redirect/trust";
import type { Language } from "#lib/redirect/visitor-pages";

const pages: Record<Threat, string> = {
  social_engineering: "https://www.antiphishing.org/",
  malware: "https://developers.google.com/search/docs/monitor-debug/security/malware",
  unwanted_software: "https://www.google.com/about/company/unwanted-software-policy.html",
  potentially_harmful_application:
    "https://developers.google.com/android/play-protect/potentially-harmful-applications",
};
const advisories: Record<ReputationService, string> = {
  "safe-browsing": "https://developers.google.com/safe-browsing/v4/advisory",
  "web-risk": "https://cloud.google.com/web-risk/docs/advisory",
};

interface SuspicionTexts {
  title: string;
  threats: Record<Threat, string>;
  more: string;
  limits: string;
  attribution: string;
}

const english: SuspicionTexts = {
  title: "Suspected harmful website",
  threats: {
    social_engineering:
      "This website is suspected of deception. It may trick you into installing software or revealing passwords, phone numbers or card details.",
    malware: "This website may install harmful software on your device.",
    unwanted_software: "This website may offer software that harms your browsing experience.",
    potentially_harmful_application:
      "This website may offer apps that steal or delete your information.",
  },
  more: "Learn more about this threat",
  limits: "Google can’t guarantee that its information is complete and without errors.",
  attribution: "Advisory provided by Google",
};

const chinese: SuspicionTexts = {
  title: "该网站疑似有害",
  threats: {
    social_engineering:
      "该网站疑似欺诈网站，可能会诱骗你安装软件，或泄露密码、电话号码、银行卡等信息。",
    malware: "该网站可能会在你的设备上安装恶意软件。",
    unwanted_software: "该网站可能提供会影响浏览体验的垃圾软件。",
    potentially_harmful_application: "该网站可能提供会窃取或删除个人信息的应用。",
  },
  more: "了解此类威胁",
  limits: "Google 无法保证其信息完整且没有错误。",
  attribution: "安全建议由 Google 提供",
};

const texts: Record<Language, SuspicionTexts> = { en: english, zh: chinese };

export function describeSuspicion(language: Language, { threat, service }: Suspicion) {
  const labels = texts[language];
  const textHtml =
    `<p>${labels.threats[threat]} <a href="${pages[threat]}" rel="noreferrer">${labels.more}</a></p>` +
    `<p class="note">${labels.limits} <a href="${advisories[service]}" rel="noreferrer">${labels.attribution}</a></p>`;
  return { title: labels.title, textHtml };
}
