/** The destination under the short address: a page that is one frame. */

import type { Frame } from "#lib/links/link-cache";
import { config } from "#lib/platform/config";
import { escapeHtml, languageOf, renderPage, visibleText } from "./document.ts";

/** Hosts that a policy can name; others hold what would divide it. */
const origins = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** The origin that a frame may show; undefined where a frame would stay empty, so that the visitor is sent there. */
export function frameOrigin(url: string): string | undefined {
  const { origin } = new URL(url);
  if (!origins.test(origin)) return undefined;
  // No browser shows what was not encrypted within what was.
  const isMixed = config().FUXI_URL.startsWith("https:") && origin.startsWith("http:");
  return isMixed ? undefined : origin;
}

/** All that a site needs to work, and not to lead the visitor away from the short address before they touched it. */
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

export function framePage(frame: Frame, url: string, acceptLanguage: string | undefined): Buffer {
  const title = visibleText(frame.title) || new URL(url).host;
  const bodyHtml =
    `<main class="framed"><iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" allow="fullscreen"` +
    ` sandbox="${sandbox}"` +
    ` referrerpolicy="strict-origin-when-cross-origin"></iframe></main>`;
  return renderPage({ language: languageOf(acceptLanguage), title, bodyHtml });
}
