/** The pages that a form sends, and the redirects back to the link. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/audience/forms/schema";
import { addressOf } from "#lib/platform/http";
import { type LimitCall, tryLimits } from "#lib/platform/limits";
import { isOnDashboardHost, originOf, sign } from "#lib/redirect/requests";
import type { Target } from "#lib/redirect/targets";
import {
  type CompiledBranding,
  findBranding,
  languageOf,
  sendDocument,
  sendPage,
} from "#lib/redirect/visitor-pages";
import { type Entered, phoneCountriesOf } from "./answers.ts";
import { formCookie, passGrant } from "./grants.ts";
import { type FormPage, formPage } from "./page.ts";
import type { WechatOffer, WechatReturn } from "./wechat.ts";

export interface FormVisit {
  target: Target;
  path: string;
  query: string;
  /** The id of a code by SMS that waits to be entered, or empty. */
  codeId: string;
  offer: WechatOffer | undefined;
  /** What WeChat added to the URL. Undefined: the visitor does not come from WeChat. */
  back: WechatReturn | undefined;
}

interface Onward {
  contact: string;
  seconds: number;
  /** More Set-Cookie lines. */
  cookies?: readonly string[];
}

/** A page of another site must not send answers for its visitors. */
export function isForeign(req: IncomingMessage): boolean {
  const site = req.headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

export function sendFormDocument(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  page: Buffer,
  branding: CompiledBranding | undefined,
): void {
  const head = ["Vary", "Cookie", ...(status === 413 ? ["Connection", "close"] : [])];
  sendDocument(req, res, status, page, { branding, head, hasForm: true, namesLink: true });
}

export const withdrawParameter = "fuxi_withdraw";

interface Shown {
  status: number;
  entered?: Entered;
  problems?: ReadonlyMap<string, string>;
  notice?: FormPage["notice"];
}

const nothing: ReadonlyMap<string, string> = new Map();

export async function sendForm(
  req: IncomingMessage,
  res: ServerResponse,
  { content, personal, version }: ShownForm,
  { path, offer }: Pick<FormVisit, "path" | "offer">,
  { status, entered = nothing, problems = nothing, notice }: Shown,
): Promise<void> {
  const branding = await findBranding(req);
  const hasPhone = content.fields.some(({ type }) => type === "phone");
  const page = formPage({
    content,
    personal,
    version,
    language: languageOf(req.headers["accept-language"]),
    branding,
    onDashboardHost: isOnDashboardHost(req),
    entered,
    problems,
    notice,
    callingCode: hasPhone ? await callingCodeOf(req) : "",
    withdrawAddress: `${originOf(req)}${path}?${withdrawParameter}=1`,
    offer,
  });
  sendFormDocument(req, res, status, page, branding);
}

async function callingCodeOf(req: IncomingMessage): Promise<string> {
  const { callingCode } = await import("#lib/platform/phones");
  return callingCode((await phoneCountriesOf(req))[0] ?? "");
}

/** Redirects to the link, with proof that the visitor answered. */
export function redirectAnswered(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { target, path, query }: FormVisit,
  { contact, seconds, cookies = [] }: Onward,
): void {
  const now = Date.now();
  const subject = { linkPk: target.linkPk, formId: form.id };
  const pass = passGrant({ ...subject, address: addressOf(req) }, contact, now);
  const cookie = formCookie(subject, { contact, seconds, path }, now);
  sendToLink(res, { path, query }, pass, [...cookies, cookie]);
}

/** Redirects to the same link, with one more parameter. */
export function sendToLink(
  res: ServerResponse,
  { path, query }: { path: string; query: string },
  parameter: string,
  cookies: readonly string[] = [],
): void {
  // Several slashes or a backslash would turn the first part of the path into a host.
  const address = path.replace(/^[/\\]+/, "/");
  sendTo(res, `${address}?${[query, parameter].filter(Boolean).join("&")}`, cookies);
}

export function sendTo(res: ServerResponse, url: string, cookies: readonly string[]): void {
  res.writeHead(303, [
    ...cookies.flatMap((cookie) => ["Set-Cookie", cookie]),
    "Location",
    url,
    "Cache-Control",
    "no-store",
    "Content-Length",
    "0",
  ]);
  res.end();
}

/** False: the visitor got a response. */
export async function takeLimits(
  req: IncomingMessage,
  res: ServerResponse,
  limits: readonly LimitCall[],
): Promise<boolean> {
  const limit = await tryLimits(limits);
  if (limit.ok) return true;
  const branding = await findBranding(req);
  const head = ["Retry-After", String(limit.retryAfterSeconds)];
  sendPage(req, res, 429, "tooMany", { head, branding });
  return false;
}

/** Keyed, because there are so few numbers that a plain digest could be guessed. */
export function phoneSubject({ workspacePk }: ShownForm, phone: string): string {
  return sign("fuxi form phones", `${workspacePk} ${phone}`).toString("base64url");
}
