/** The ICP number of a host at the bottom of its visitor pages. */
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";
import { icpRegister } from "#lib/platform/icp/schema";
import { escapeHtml } from "./document.ts";
import type { Host } from "./store.ts";
import { isOnDashboardHost } from "./visitor.ts";

/** Of requests whose host has one: pages are sent from many places, and the host is found in one. */
const numbers = new WeakMap<IncomingMessage, string>();

/** Remembers the number of a host for the pages of this request. The domains of the instance have that of the settings. */
export function rememberIcp(req: IncomingMessage, host: Host): void {
  const number = host.workspacePk === undefined ? config().FUXI_ICP : host.icp;
  if (number !== undefined) numbers.set(req, number);
}

/** The page with the number of its host, if that has one. */
export function withIcp(page: Buffer, req: IncomingMessage): Buffer {
  const number = numbers.get(req) ?? (isOnDashboardHost(req) ? config().FUXI_ICP : undefined);
  if (number === undefined) return page;
  const html =
    `<p class="note report" lang="zh-CN"><a href="${icpRegister}" rel="nofollow noreferrer">` +
    `${escapeHtml(number)}</a></p></main></body>`;
  return Buffer.from(page.toString().replace("</main></body>", () => html));
}
