/**
 * Visitors who share their WeChat account with a form: it is offered inside WeChat, on a domain that an official account
 * has as authorised callback domain. WeChat asks them, or tells their openid without asking, and sends them back to the
 * link with a code. The code is stored for a job, and the visitor goes on at once. So does everyone who comes back
 * without one, or does not come back to the callback at all.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { countryOf } from "#lib/platform/http";
import { parseAgent } from "#lib/platform/request-info";
import { authorizeUrl } from "#lib/platform/wechat-pages";
import { pathOf, withToken } from "./continuing.ts";
import { languageOf } from "./document.ts";
import { formCookie } from "./form-grants.ts";
import { type FormVisit, sendOn } from "./form-onward.ts";
import { wechatFieldOf } from "./form-shown.ts";
import { tryStoring } from "./form-storing.ts";
import { awayCookie, endAwayCookie, openAway } from "./form-wechat-state.ts";
import { outcomes } from "./outcomes.ts";
import { mayUse } from "./plan-uses.ts";
import type { Target } from "./target.ts";
import { isPrefetch, takeParameter, userAgentOf } from "./visitor.ts";
import { findCallbackSite, originOf } from "./wechat-sites.ts";

/** Marks the callback: other links may have parameters of their own with the names that WeChat uses. */
const backParameter = "fuxi_wechat";
const daySeconds = 86_400;
/** Who does not come back is asked again on another day, as one who skipped. */
const awaySeconds = daySeconds;
/** Those of WeChat have 32 letters and digits. */
const codePattern = /^[\w-]{1,128}$/;

/** What a visitor can share here. */
export interface WechatOffer {
  accountPk: number;
  appId: string;
  /** Name and picture, which WeChat asks for; otherwise the openid only. */
  profile: boolean;
}

/** Undefined: the form does not ask for it, or not this visitor. */
export async function findOffer(
  req: IncomingMessage,
  { content }: ShownForm,
  target: Target,
): Promise<WechatOffer | undefined> {
  const field = wechatFieldOf(content);
  if (!field) return undefined;
  const { app, bot } = parseAgent(userAgentOf(req));
  // defence: wechat-only-in-wechat
  if (app !== "wechat" || bot || !(await mayUse(target, "wechatUserInfo"))) return undefined;
  const site = await findCallbackSite(req, target);
  return site && { ...site, profile: field.profile };
}

/** What WeChat added to the address of the link. */
export interface WechatReturn {
  /** Empty: the visitor did not agree. */
  code: string;
  state: string;
}

/** A query without what WeChat added, and that. Undefined: the visitor does not come from there. */
export function takeReturn(query: string): [query: string, back: WechatReturn | undefined] {
  const [marked, mark] = takeParameter(query, backParameter);
  if (mark === "") return [marked, undefined];
  const [bare, code] = takeParameter(marked, "code");
  const [pure, state] = takeParameter(bare, "state");
  // defence: wechat-code-not-forwarded
  return [pure, { code, state }];
}

interface Leaving {
  contact: string;
  marketing: boolean;
}

/** Sends a visitor who agreed to WeChat. */
export function sendToWechat(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { target: { linkPk }, path, query, token, offer }: FormVisit & { offer: WechatOffer },
  { contact, marketing }: Leaving,
): void {
  const now = Date.now();
  const subject = { linkPk, formId: form.id, state: randomBytes(16).toString("hex") };
  const { accountPk, appId, profile } = offer;
  const visitor = { accountPk, formVersion: form.version, profile, marketing, contact };
  // Whoever turns back has answered the form.
  const seconds = contact === "" ? awaySeconds : form.content.rememberDays * daySeconds;
  const own = [withToken(query, token), `${backParameter}=1`].filter(Boolean).join("&");
  outcomes.sentToWechat += 1;
  res.writeHead(303, [
    "Set-Cookie",
    formCookie(subject, { contact, seconds, path }, now),
    "Set-Cookie",
    awayCookie(subject, visitor, { path, now }),
    "Location",
    authorizeUrl({
      appId,
      callbackUrl: `${originOf(req)}${pathOf(req)}?${own}`,
      scope: profile ? "snsapi_userinfo" : "snsapi_base",
      state: subject.state,
    }),
    "Cache-Control",
    "no-store",
    "Content-Length",
    "0",
  ]);
  res.end();
}

/** Takes what a visitor brings back from WeChat. False: nothing that this browser has asked for. */
export async function takeBack(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit,
  { code, state }: WechatReturn,
): Promise<boolean> {
  // defence: wechat-prefetch
  if (req.method !== "GET" || isPrefetch(req.headers)) return false;
  const { linkPk } = asked.target;
  const visitor = openAway(req.headers.cookie, { linkPk, formId: form.id, state }, Date.now());
  if (!visitor) return false;
  const kept = codePattern.test(code)
    ? await keep(req, form, linkPk, { ...visitor, code, state })
    : "";
  const contact = kept || visitor.contact;
  const seconds = contact === "" ? awaySeconds : form.content.rememberDays * daySeconds;
  res.appendHeader("Set-Cookie", endAwayCookie(asked.path));
  sendOn(req, res, form, asked, { contact, seconds });
  return true;
}

/** The UUID of the contact. Undefined: the code could not be stored, or came a second time. */
async function keep(
  req: IncomingMessage,
  form: ShownForm,
  linkPk: number,
  back: NonNullable<ReturnType<typeof openAway>> & WechatReturn,
): Promise<string | undefined> {
  const { keepWechatCode } = await import("#lib/links/form-answers");
  const { formVersion, state, ...rest } = back;
  return await tryStoring(() =>
    keepWechatCode({
      ...rest,
      state: uuidOf(state),
      form: { ...form, version: formVersion },
      linkPk,
      language: languageOf(req.headers["accept-language"]),
      country: countryOf(req) || null,
    }),
  );
}

function uuidOf(state: string): string {
  return state.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
