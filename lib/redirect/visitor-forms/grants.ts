/**
 * Proof that a visitor answered the form of a link, or skipped it:
 *
 *     <seconds since 1970 at which it ends, base 36> . <UUID of the contact, or nothing> . <HMAC, base64url>
 *
 * A cookie lasts as long as the form says. For browsers without cookies, the URL after the form also has a proof, which is valid
 * for a minute and for this network address.
 */
import { cookieLine, cookiesNamed, isSignedUntil, signUntil } from "#lib/redirect/requests";

const purpose = "fuxi form grants";

const cookieName = "fuxi_form";
export const grantParameter = "fuxi_answered";
const passSeconds = 60;

/** `address`: only valid for this network address. */
interface GrantSubject {
  linkPk: number;
  formId: string;
  address?: string;
}

function textOf({ linkPk, formId, address = "" }: GrantSubject, ends: string, contact: string) {
  // defence: form-grant-of-link
  // defence: form-grant-of-address
  return `${linkPk}\n${formId}\n${address}\n${ends}\n${contact}`;
}

function makeGrant(subject: GrantSubject, contact: string, endsAt: number): string {
  const token = signUntil(purpose, endsAt, (ends) => textOf(subject, ends, contact));
  return token.replace(".", `.${contact}.`);
}

/** The UUID of the contact, or an empty text if none is stored. Undefined: no valid grant. */
function openGrant(grant: string, subject: GrantSubject, now: number): string | undefined {
  const [ends = "", contact = "", signature = ""] = grant.split(".", 3);
  const text = () => textOf(subject, ends, contact);
  return isSignedUntil(purpose, `${ends}.${signature}`, now, text) ? contact : undefined;
}

export function passGrant(subject: Required<GrantSubject>, contact: string, now: number): string {
  return `${grantParameter}=${makeGrant(subject, contact, now + passSeconds * 1_000)}`;
}

export function openPass(grant: string, subject: Required<GrantSubject>, now: number) {
  return grant === "" ? undefined : openGrant(grant, subject, now);
}

export function openCookie(
  cookies: string | undefined,
  { linkPk, formId }: GrantSubject,
  now: number,
): string | undefined {
  for (const grant of cookiesNamed(cookies, cookieName)) {
    const contact = openGrant(grant, { linkPk, formId }, now);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

interface Remembered {
  contact: string;
  seconds: number;
  path: string;
}

/** The Set-Cookie line of a grant for this path. With 0 seconds the browser deletes it. */
export function formCookie(
  { linkPk, formId }: GrantSubject,
  { contact, seconds, path }: Remembered,
  now: number,
): string {
  const grant = makeGrant({ linkPk, formId }, contact, now + seconds * 1_000);
  return cookieLine(cookieName, grant, { path, seconds });
}
