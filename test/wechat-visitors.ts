/** For tests: visitors inside WeChat, who share their account with a form. Within a file that opened the stores. */
import { expect } from "vitest";
import { createForm } from "#lib/audience/forms";
import { newForm } from "#lib/audience/forms/schema";
import { createWechatAccount } from "#lib/audience/wechat-accounts";
import { putWechatDomain } from "#lib/audience/wechat-domains";
import { createDomain } from "#lib/links/domains";
import type { openTestVisits, VisitAnswer } from "./redirect-server.ts";
import type { LocalWechat } from "./wechat.ts";

export const destination = "https://shop.example/start";
export const wechatAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN";
export const wechatSecret = "0123456789abcdefABCDEF0123456789";

let count = 0;

export interface Asking {
  key: string;
  id: string;
  host: string;
  formId: string;
  appId: string;
  accountId: string;
}

type Visits = ReturnType<typeof openTestVisits>;
type Account = Pick<Asking, "appId" | "accountId">;
type Head = Record<string, string>;

export function openWechatVisitors(visits: Visits, wechat: () => LocalWechat) {
  return { ...openAsking(visits, wechat), ...openVisitors(visits) };
}

function openAsking({ make, scope }: Visits, wechat: () => LocalWechat) {
  const addAccount = async (): Promise<Account> => {
    count += 1;
    const appId = `wx${String(count).padStart(16, "0")}`;
    wechat().addApp(appId, wechatSecret);
    const body = { kind: "officialAccount", name: "Tea", appId, secret: wechatSecret } as const;
    return { appId, accountId: (await createWechatAccount(scope(), body)).id };
  };
  /** A link whose form asks for the WeChat account, on a domain of a new account or of this one. */
  const asking = async (more: object = {}, known?: Account, link: object = {}): Promise<Asking> => {
    const account = known ?? (await addAccount());
    count += 1;
    const { slug: host } = await createDomain(scope(), { slug: `tea${count}.localhost` });
    const { accountId } = account;
    await putWechatDomain(scope(), host, { accountId, file: null, callback: true });
    const form = await createForm(scope(), formBody(host, more));
    const { key, id } = await make({ url: destination, domain: host, formId: form.id, ...link });
    return { ...account, key, id, host, formId: form.id };
  };
  return { addAccount, asking };
}

function formBody(host: string, more: object) {
  return newForm.parse({
    name: `Form ${host}`,
    published: true,
    title: "Get the offer",
    consent: "We greet you by your WeChat name.",
    controller: "Acme Ltd, 1 Main Street, London",
    privacyUrl: "https://acme.example/privacy",
    fields: [{ type: "wechat" }],
    ...more,
  });
}

function openVisitors({ ask }: Visits) {
  const usual = { "user-agent": wechatAgent, "accept-language": "en" };
  const get = (path: string, host: string, cookie = "", more: Head = {}): Promise<VisitAnswer> =>
    ask(path, { headers: { ...usual, host, cookie, ...more } });
  const post = (path: string, host: string, entered: Head, more: Head = {}) => {
    const form = new URLSearchParams({ version: "1", ...entered }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return ask(path, { method: "POST", headers: { ...usual, host, ...type, ...more }, form });
  };
  /** Presses the button. Returns the address of WeChat, and the cookies that the browser keeps. */
  const leave = async ({ key, host }: Asking, entered: Head = {}) => {
    const left = await post(`/${key}`, host, { consent: "1", wechat: "1", ...entered });
    expect(left.status).toBe(303);
    return { address: String(left.headers.location), cookies: cookiesOf(left) };
  };
  /** The same, and WeChat sends the visitor back: the path of the callback. */
  const comeBack = async (at: Asking, entered: Head = {}) => {
    const { address, cookies } = await leave(at, entered);
    const shown = await fetch(address.split("#")[0] ?? "", { redirect: "manual" });
    const asked = /href="([^"]+)"/.exec(await shown.text())?.[1]?.replaceAll("&amp;", "&");
    const back = new URL(shown.headers.get("location") ?? asked ?? "");
    return { path: `${back.pathname}${back.search}`, cookies };
  };
  /** The whole way: returns the cookies of the browser at the destination. */
  const share = async (at: Asking, entered: Head = {}): Promise<string> => {
    const { path, cookies } = await comeBack(at, entered);
    const returned = await get(path, at.host, cookies);
    expect(returned.status).toBe(303);
    const kept = cookiesOf(returned, cookies);
    const onward = await get(String(returned.headers.location), at.host, kept);
    expect([onward.status, onward.headers.location]).toEqual([302, destination]);
    return kept;
  };
  return { get, post, leave, comeBack, share };
}

/** The Cookie header of a browser after an answer. */
export function cookiesOf({ headers }: VisitAnswer, before = ""): string {
  const kept = new Map(before.split("; ").map((one) => [one.split("=")[0] ?? "", one]));
  for (const line of headers["set-cookie"] ?? []) {
    const [pair = ""] = line.split(";");
    const name = pair.split("=")[0] ?? "";
    if (/Max-Age=0\b/.test(line)) kept.delete(name);
    else kept.set(name, pair);
  }
  return [...kept.values()].filter(Boolean).join("; ");
}
