/** Asks for a link’s password. Knows no destination: only a visit with a grant is redirected. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf } from "#lib/platform/http";
import { type Attempt, addressSubject, tryLimits } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { type QueueOwner, verifyPassword } from "#lib/platform/passwords";
import {
  cookieLine,
  cookiesNamed,
  isPrefetch,
  isSignedUntil,
  readForm,
  signUntil,
} from "#lib/redirect/requests";
import { type CompiledBranding, sendPage } from "#lib/redirect/visitor-pages";
import type { VisitorPageName } from "./closed-page.ts";

/** Room for a password of 200 characters, each of which takes up to twelve bytes in a form. */
const formBytesMax = 4_096;

const busySeconds = 3;

/** Whether the visitor already entered the password. A prefetch does not count as a visit. */
export function isGranted(req: IncomingMessage, linkPk: number, passwordHash: string, now: number) {
  if (req.method === "HEAD") return false;
  if (isPrefetch(req.headers)) return false;
  return hasGrant(req.headers.cookie, linkPk, passwordHash, now);
}

interface PasswordRequest {
  linkPk: number;
  workspacePk: number | undefined;
  passwordHash: string;
  path: string;
  branding: CompiledBranding | undefined;
}

export async function askPassword(
  req: IncomingMessage,
  res: ServerResponse,
  { linkPk, workspacePk, passwordHash, path, branding }: PasswordRequest,
): Promise<void> {
  const send = (status: number, name: VisitorPageName, head: string[] = []) =>
    sendPage(req, res, status, name, { head, branding });
  if (req.method !== "POST") return send(401, "password");
  const attempts = await countAttempt(linkPk, addressOf(req));
  if (!attempts.ok) {
    const wait = ["Retry-After", String(attempts.retryAfterSeconds), "Connection", "close"];
    return send(429, "tooMany", wait);
  }
  const form = await readForm(req, formBytesMax);
  if (form === undefined) {
    return send(413, "wrongPassword", ["Connection", "close"]);
  }
  const password = new URLSearchParams(form).get("password") ?? "";
  // defence: visitor-password-turns
  const owner = { group: `workspace ${workspacePk}`, member: String(linkPk) };
  const isRight = password !== "" && (await checkPassword(password, passwordHash, owner));
  if (isRight === false) return send(403, "wrongPassword");
  // Correct and unchecked passwords do not count as failed attempts.
  await attempts.refund();
  if (!isRight) return send(503, "unavailable", ["Retry-After", String(busySeconds)]);
  const grant = makeGrant(linkPk, passwordHash, Date.now());
  sendAgain(req, res, ["Set-Cookie", grantCookie(grant, path)]);
}

export function sendAgain(req: IncomingMessage, res: ServerResponse, head: readonly string[] = []) {
  // Several slashes or a backslash would turn the first part of the path into a host.
  const url = (req.url ?? "/").replace(/^[/\\]+/, "/");
  const common = ["Location", url, "Cache-Control", "no-store", "Content-Length", "0"];
  res.writeHead(303, [...common, ...head]).end();
}

/** Undefined: too many checks are waiting. */
async function checkPassword(password: string, passwordHash: string, owner: QueueOwner) {
  try {
    return await verifyPassword(password, passwordHash, owner);
  } catch (error) {
    log.warn({ event: "password.unjudged", error: String(error) });
    return undefined;
  }
}

/** Limited per address, and per link against many addresses that guess together. */
async function countAttempt(linkPk: number, address: string): Promise<Attempt> {
  return await tryLimits([
    ["linkPasswordPerAddress", addressSubject(address, linkPk)],
    ["linkPasswordPerLink", `${linkPk}`],
  ]);
}

const purpose = "fuxi link grants";
/**
 * A cookie proves that a visitor entered the password of a link:
 *
 *      <seconds since 1970 at which it ends, base 36> . <HMAC of link, end and password hash, base64url>
 *
 * A new password ends it, because its hash is signed. The name is the same for all links, because
 * it would otherwise reveal the number of the link. The path separates the cookies.
 */
const cookieName = "fuxi_grant";
const grantSeconds = 3_600;

function textOf(linkPk: number, ends: string, passwordHash: string): string {
  // defence: grant-of-link-and-password
  return `${linkPk}\n${ends}\n${passwordHash}`;
}

export function makeGrant(linkPk: number, passwordHash: string, now: number): string {
  const endsAt = now + grantSeconds * 1_000;
  return signUntil(purpose, endsAt, (ends) => textOf(linkPk, ends, passwordHash));
}

export function isGrant(grant: string, linkPk: number, passwordHash: string, now: number): boolean {
  return isSignedUntil(purpose, grant, now, (ends) => textOf(linkPk, ends, passwordHash));
}

function hasGrant(cookies: string | undefined, linkPk: number, passwordHash: string, now: number) {
  return cookiesNamed(cookies, cookieName).some((grant) =>
    isGrant(grant, linkPk, passwordHash, now),
  );
}

export function grantCookie(grant: string, path: string): string {
  return cookieLine(cookieName, grant, { path, seconds: grantSeconds });
}
