/**
 * The state of a visitor who is at WeChat. WeChat gets a random number, and a cookie of the link
 * has
 *
 *     <seconds since 1970 at which it ends> . <account> . <version of the form> . <flags> .
 *     <UUID of the contact, or nothing> . <HMAC of these, the link, the form and the state, base64url>
 *
 * so that a callback only counts in the browser that asked for it, at the same link. The stored row
 * ensures that it counts once.
 */
import { cookieLine, cookiesNamed, isSigned, sign } from "#lib/redirect/requests";

const purpose = "fuxi wechat states";
const cookieName = "fuxi_wechat";
/** Hexadecimal digits, because WeChat takes letters and digits only. */
const statePattern = /^[0-9a-f]{32}$/;
/** Longer than most visitors need at WeChat. */
const awayMinutes = 10;

export interface AwayVisitor {
  accountPk: number;
  formVersion: number;
  profile: boolean;
  marketing: boolean;
  /** UUID, or empty if nothing is known of the visitor. */
  contact: string;
}

interface StateSubject {
  linkPk: number;
  formId: string;
  state: string;
}

function textOf({ linkPk, formId, state }: StateSubject, values: string): string {
  // defence: wechat-state-of-link-and-form
  return `${linkPk}\n${formId}\n${state}\n${values}`;
}

function flagsOf({ profile, marketing }: AwayVisitor): string {
  return `${profile ? "p" : ""}${marketing ? "m" : ""}`;
}

export function awayCookie(
  subject: StateSubject,
  visitor: AwayVisitor,
  { path, now }: { path: string; now: number },
): string {
  const seconds = awayMinutes * 60;
  const ends = Math.floor(now / 1_000) + seconds;
  const { accountPk, formVersion, contact } = visitor;
  const values = [ends, accountPk, formVersion, flagsOf(visitor), contact].join(".");
  const signature = sign(purpose, textOf(subject, values)).toString("base64url");
  return cookieLine(cookieName, `${values}.${signature}`, { path, seconds });
}

export function endAwayCookie(path: string): string {
  return cookieLine(cookieName, "", { path, seconds: 0 });
}

/** Undefined: no cookie belongs to the state, or the visitor was away for too long. */
export function openAway(
  cookies: string | undefined,
  subject: StateSubject,
  now: number,
): AwayVisitor | undefined {
  if (!statePattern.test(subject.state)) return undefined;
  for (const cookie of cookiesNamed(cookies, cookieName)) {
    const end = cookie.lastIndexOf(".");
    const values = cookie.slice(0, end);
    // defence: wechat-state-browser
    if (!isSigned(purpose, textOf(subject, values), cookie.slice(end + 1))) continue;
    const [ends = "", accountPk = "", formVersion = "", flags = "", contact = ""] =
      values.split(".");
    if (Number(ends) * 1_000 <= now) continue;
    return {
      accountPk: Number(accountPk),
      formVersion: Number(formVersion),
      profile: flags.includes("p"),
      marketing: flags.includes("m"),
      contact,
    };
  }
  return undefined;
}
