import type { CloakingFrame } from "#lib/links/link-cache";
import { config } from "#lib/platform/config";
import { escapeHtml, languageOf, renderPage, visibleText } from "#lib/redirect/visitor-pages";

/** Hosts that a policy can contain. Others have characters that would split it. */
const origins = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** The origin that a frame may show. Undefined: it would stay empty, so visitors are redirected. */
export function frameOrigin(url: string): string | undefined {
  const { origin } = new URL(url);
  if (!origins.test(origin)) return undefined;
  // Browsers block unencrypted content in encrypted pages.
  const isMixed = config().FUXI_URL.startsWith("https:") && origin.startsWith("http:");
  return isMixed ? undefined : origin;
}

/** Everything a site needs, except navigating the visitor away without a click. */
const sandbox = [
  "allow-scripts",
  "allow-same-origin",
  "allow-forms",
  "allow-modals",
  "allow-downloads",
  "allow-pointer-lock",
  "allow-popups",
  "allow-popups-to-escape-sandbox",
  "allow-top-navigation-by-user-activation",
].join(" ");

export function framePage(frame: CloakingFrame, url: string, acceptLanguage: string | undefined) {
  const title = visibleText(frame.title) || new URL(url).host;
  const bodyHtml =
    `<main class="framed"><iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" allow="fullscreen"` +
    ` sandbox="${sandbox}"` +
    ` referrerpolicy="strict-origin-when-cross-origin"></iframe></main>`;
  return renderPage({ language: languageOf(acceptLanguage), title, bodyHtml });
}
