/**
 * Browsers open an app from a page rather than from a redirect. If that fails, the visitor has a
 * button. Without scripts.
 */
import {
  type CompiledBranding,
  escapeHtml,
  type Language,
  languageOf,
  renderPage,
  userLinkNotice,
  visibleText,
} from "#lib/redirect/visitor-pages";

interface AppPageTexts {
  title: string;
  text: string;
  button: string;
}

type AppPageKind = "app" | "call" | "message" | "mail";

const texts: Record<AppPageKind, Record<Language, AppPageTexts>> = {
  app: {
    en: {
      title: "Opening the app",
      text: "If nothing happens, tap the button.",
      button: "Open app",
    },
    zh: { title: "正在打开应用", text: "如果没有反应，请点击下方按钮。", button: "打开应用" },
  },
  call: {
    en: { title: "Call this number", text: "", button: "Call" },
    zh: { title: "拨打电话", text: "", button: "拨打" },
  },
  message: {
    en: { title: "Text this number", text: "", button: "Write message" },
    zh: { title: "发送短信", text: "", button: "写短信" },
  },
  mail: {
    en: { title: "Email this address", text: "", button: "Write email" },
    zh: { title: "发送邮件", text: "", button: "写邮件" },
  },
};
const webTexts: Record<Language, string> = { en: "Continue on the web", zh: "继续访问网页" };

const contacts: Record<string, AppPageKind> = {
  tel: "call",
  facetime: "call",
  sms: "message",
  smsto: "message",
  mailto: "mail",
};

interface AppPageOptions {
  url: string;
  webUrl: string;
  acceptLanguage: string | undefined;
  branding: CompiledBranding | undefined;
  onDashboardHost: boolean;
}

export function appPage({
  url,
  webUrl,
  acceptLanguage,
  branding,
  onDashboardHost,
}: AppPageOptions): Buffer {
  const language = languageOf(acceptLanguage);
  const kind = contacts[url.slice(0, url.indexOf(":")).toLowerCase()] ?? "app";
  const { title, text, button } = texts[kind][language];
  const shown = kind === "app" ? "" : contactOf(url);
  const ways = [
    `<a class="button" href="${escapeHtml(url)}">${button}</a>`,
    `<a class="button other" rel="noreferrer" href="${escapeHtml(webUrl)}">${webTexts[language]}</a>`,
  ];
  const bodyHtml =
    `<main><h1>${title}</h1>${shown ? `<p class="host" dir="ltr">${escapeHtml(shown)}</p>` : `<p>${text}</p>`}` +
    `<div class="ways">${ways.join("")}</div>${onDashboardHost ? userLinkNotice(language) : ""}</main>`;
  // An app opens at once, but a call or a message starts with a tap.
  const headHtml =
    kind === "app" ? `<meta http-equiv="refresh" content="0;url=${escapeHtml(url)}">` : "";
  return renderPage({ language, title, headHtml, bodyHtml, branding });
}

function contactOf(url: string): string {
  const [raw = ""] = url.slice(url.indexOf(":") + 1).split(/[?;]/, 1);
  const bare = raw.replace(/^\/+/, "");
  try {
    return visibleText(decodeURIComponent(bare));
  } catch {
    return visibleText(bare); // a broken escape
  }
}
