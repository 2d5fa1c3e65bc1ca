/** Sends a visitor who answered a form, or skipped it, on to the link. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { addressOf } from "#lib/platform/http";
import { withToken } from "./continuing.ts";
import { formCookie, passGrant } from "./form-grants.ts";
import type { WechatOffer, WechatReturn } from "./form-wechat.ts";
import type { Target } from "./target.ts";

export interface FormVisit {
  target: Target;
  path: string;
  query: string;
  /** Of a page that the visitor continued from. */
  token: string;
  /** The id of a code by SMS that waits to be entered; empty: none. */
  codeId: string;
  /** What the visitor can share of WeChat. */
  offer: WechatOffer | undefined;
  /** What WeChat added to the address; undefined: the visitor does not come from there. */
  back: WechatReturn | undefined;
}

export interface Onward {
  contact: string;
  seconds: number;
}

/** Sends the visitor to the link again, which goes on now. */
export function sendOn(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { target, path, query, token }: FormVisit,
  { contact, seconds }: Onward,
): void {
  const now = Date.now();
  const subject = { linkPk: target.linkPk, formId: form.id };
  const pass = passGrant({ ...subject, address: addressOf(req) }, contact, now);
  res.appendHeader("Set-Cookie", formCookie(subject, { contact, seconds, path }, now));
  sendToLink(res, { path, query: withToken(query, token) }, pass);
}

/** Sends the visitor to the same link, with one more parameter. */
export function sendToLink(
  res: ServerResponse,
  { path, query }: { path: string; query: string },
  parameter: string,
): void {
  res.writeHead(303, [
    "Location",
    // More than one slash, or a backslash, would turn the first part of the path into a host.
    `${path.replace(/^[/\\]+/, "/")}?${[query, parameter].filter(Boolean).join("&")}`,
    "Cache-Control",
    "no-store",
    "Content-Length",
    "0",
  ]);
  res.end();
}
