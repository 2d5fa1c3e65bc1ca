/** The link from a visitor page to the form for reports, on the host of the dashboard. */
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";
import { escapeHtml, type Language } from "./document.ts";
import { canonicalHost } from "./visitor.ts";

const labels: Record<Language, string> = { en: "Report this link", zh: "举报此链接" };
const pathCharsMax = 400;

/** Without the link: the form asks for it. */
export function reportHtml(language: Language, address = reportAddress()): string {
  return `<p class="note report"><a href="${escapeHtml(address)}" rel="nofollow">${labels[language]}</a></p>`;
}

function reportAddress(): string {
  return `${config().FUXI_URL}/report`;
}

/** The form for the link of a request. */
export function reportAddressOf(req: IncomingMessage, path = pathOf(req)): string {
  const host = canonicalHost(req.headers.host ?? "");
  const port = /:\d+$/.exec(req.headers.host ?? "")?.[0] ?? "";
  const link = `${host}${port}${path}`.slice(0, pathCharsMax);
  return `${reportAddress()}?link=${encodeURIComponent(link.toWellFormed())}`;
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? "/").split("?", 1)[0] ?? "/";
}

/** The same page with the link of this request in its form. */
export function withReportedLink(page: Buffer, req: IncomingMessage): Buffer {
  const [bare, linked] = [reportAddress(), reportAddressOf(req)].map(
    (address) => `href="${escapeHtml(address)}"`,
  );
  return Buffer.from(page.toString().replace(bare ?? "", () => linked ?? ""));
}
