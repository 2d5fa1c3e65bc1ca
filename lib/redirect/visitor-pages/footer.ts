/** Below the card of pages: the link to the form for reports, and the ICP number of the host. */
import type { IncomingMessage } from "node:http";
import { icpRegister } from "#lib/basics/formats/schema";
import { bareUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { isOnDashboardHost, originOf } from "#lib/redirect/requests";
import type { Host } from "#lib/redirect/targets";
import { escapeHtml, type Language } from "./document.ts";

const labels: Record<Language, string> = { en: "Report this link", zh: "举报此链接" };
const pathCharsMax = 400;

/** Without a request, `withReportedLink` adds the link to the page of each visit. */
export function reportHtml(language: Language, req?: IncomingMessage, path?: string): string {
  const address = req ? reportAddressOf(req, path) : reportAddress();
  return `<p><a href="${escapeHtml(address)}" rel="nofollow">${labels[language]}</a></p>`;
}

function reportAddress(): string {
  return `${config().FUXI_URL}/report`;
}

function reportAddressOf(req: IncomingMessage, path = req.url?.split("?", 1)[0] ?? "/"): string {
  const host = bareUrl(originOf(req));
  const link = `${host}${path}`.slice(0, pathCharsMax);
  return `${reportAddress()}?link=${encodeURIComponent(link.toWellFormed())}`;
}

/** Adds the link of this request to the URL of the form for reports. */
export function withReportedLink(page: Buffer, req: IncomingMessage): Buffer {
  const [bare, linked] = [reportAddress(), reportAddressOf(req)].map(
    (address) => `href="${escapeHtml(address)}"`,
  );
  return Buffer.from(page.toString().replace(bare ?? "", () => linked ?? ""));
}

/** ICP numbers by request, because the host is found in one place, but pages are sent from many. */
const numbers = new WeakMap<IncomingMessage, string>();

/** The setting has the ICP number of the instance’s own domains. */
export function rememberIcp(req: IncomingMessage, host: Host): void {
  const number = host.workspacePk === undefined ? config().FUXI_ICP : host.icp;
  if (number !== undefined) numbers.set(req, number);
}

export function withIcp(page: Buffer, req: IncomingMessage): Buffer {
  const number = numbers.get(req) ?? (isOnDashboardHost(req) ? config().FUXI_ICP : undefined);
  if (number === undefined) return page;
  const html =
    `<p lang="zh-CN"><a href="${icpRegister}" rel="nofollow noreferrer">` +
    `${escapeHtml(number)}</a></p></footer></body>`;
  return Buffer.from(page.toString().replace("</footer></body>", () => html));
}
