/**
 * Visitors who share their WeChat account with a form. This is offered inside WeChat, on an
 * authorized callback domain of an official account. WeChat asks the visitor, or provides the
 * openid silently, and sends the visitor back to the link with a code. The code is stored for a
 * job, and the visitor continues at once, as does everyone who comes back without a code.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FormContent, ShownForm } from "#lib/audience/forms/schema";
import { daySeconds } from "#lib/basics/time/schema";
import { countryOf } from "#lib/platform/http";
import { parseAgent } from "#lib/platform/request-info";
import { authorizeUrl, findCallbackSite } from "#lib/redirect/app-browsers";
import { isPrefetch, originOf, pathOf, takeParameter, userAgentOf } from "#lib/redirect/requests";
import { mayUse, type Target } from "#lib/redirect/targets";
import { languageOf, outcomes } from "#lib/redirect/visitor-pages";
import { tryStoring } from "./answers.ts";
import { formCookie } from "./grants.ts";
import { type FormVisit, redirectAnswered, sendTo } from "./responses.ts";
import { awayCookie, endAwayCookie, openAway } from "./wechat-state.ts";

/** Marks the callback, because other links may have parameters with the names that WeChat uses. */
const backParameter = "fuxi_wechat";
/** Visitors who do not come back see the form again the next day, like those who skip it. */
const awaySeconds = daySeconds;
/** WeChat’s codes have 32 letters and digits. */
const codePattern = /^[\w-]{1,128}$/;

/** Not in the schema of forms, because that loads zod, which visits do not need. */
function wechatFieldOf({ fields }: FormContent) {
  return fields.find((field) => field.type === "wechat");
}

/** The form without its WeChat field, for visitors who cannot or do not use it. */
export function withoutWechat(form: ShownForm): ShownForm {
  if (!wechatFieldOf(form.content)) return form;
  const fields = form.content.fields.filter(({ type }) => type !== "wechat");
  const personal = fields.some(({ type }) => type !== "check");
  return { ...form, content: { ...form.content, fields }, personal };
}

export interface WechatOffer {
  accountPk: number;
  appId: string;
  /** Whether to share name and picture, for which WeChat asks the visitor. Otherwise only the openid. */
  profile: boolean;
}

/** Undefined: the form does not ask for WeChat, or WeChat cannot be offered to this visitor. */
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

export interface WechatReturn {
  /** Empty: the visitor did not agree. */
  code: string;
  state: string;
}

/** Splits what WeChat added from a query. Undefined: the visitor does not come from WeChat. */
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

export function sendToWechat(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { target: { linkPk }, path, query, offer }: FormVisit & { offer: WechatOffer },
  { contact, marketing }: Leaving,
): void {
  const now = Date.now();
  const subject = { linkPk, formId: form.id, state: randomBytes(16).toString("hex") };
  const { accountPk, appId, profile } = offer;
  const visitor = { accountPk, formVersion: form.version, profile, marketing, contact };
  // Going back counts as answering the form.
  const seconds = contact === "" ? awaySeconds : form.content.rememberDays * daySeconds;
  const own = [query, `${backParameter}=1`].filter(Boolean).join("&");
  const url = authorizeUrl({
    appId,
    callbackUrl: `${originOf(req)}${pathOf(req)}?${own}`,
    scope: profile ? "snsapi_userinfo" : "snsapi_base",
    state: subject.state,
  });
  outcomes.sentToWechat += 1;
  sendTo(res, url, [
    formCookie(subject, { contact, seconds, path }, now),
    awayCookie(subject, visitor, { path, now }),
  ]);
}

/** Takes the code that a visitor brings back. False: this browser has not asked for it. */
export async function finishWechatReturn(
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
  redirectAnswered(req, res, form, asked, {
    contact,
    seconds,
    cookies: [endAwayCookie(asked.path)],
  });
  return true;
}

/** The UUID of the contact. Undefined: the code could not be stored, or came a second time. */
async function keep(
  req: IncomingMessage,
  form: ShownForm,
  linkPk: number,
  back: NonNullable<ReturnType<typeof openAway>> & WechatReturn,
): Promise<string | undefined> {
  const { keepWechatCode } = await import("#lib/audience/form-answers");
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
