/** Asking for a link's password. Nothing here knows where the link leads: only the visit that shows a grant is sent on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf } from "#lib/platform/http";
import { addressSubject, type LimitName, tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { verifyPassword } from "#lib/platform/passwords";
import { Gate } from "./gate.ts";
import { grantCookie, hasGrant, makeGrant } from "./grants.ts";
import type { Look } from "./look-style.ts";
import { sendPage } from "./pages.ts";
import { isPrefetch } from "./visitor.ts";
import type { PageName } from "./words.ts";

/** Room for a password of 200 characters, each of them twelve bytes of a form. */
const formBytesMax = 4_096;

/**
 * Judging a password takes a quarter of a second of one core: who came last would wait for two seconds. Fewer than
 * lib/platform/passwords lets wait, so that a crowd before one link keeps nobody from signing in.
 */
const judging = new Gate({ runningMax: 2, waitingMax: 16 });
const busySeconds = 3;

/** Whether the visitor gave the password before. Looking ahead is no visit, whoever does it. */
export function isGranted(
  req: IncomingMessage,
  linkPk: number,
  passwordHash: string,
  now: number,
): boolean {
  if (req.method !== "GET") return false;
  if (isPrefetch(req.headers)) return false;
  return hasGrant(req.headers.cookie, linkPk, passwordHash, now);
}

interface Asked {
  linkPk: number;
  passwordHash: string;
  /** Of the link, for the cookie. */
  path: string;
  look: Look | undefined;
}

/** Shows the form, or judges what came back with it. */
export async function askPassword(
  req: IncomingMessage,
  res: ServerResponse,
  { linkPk, passwordHash, path, look }: Asked,
): Promise<void> {
  const send = (status: number, name: PageName, head: string[] = []) =>
    sendPage(req, res, status, name, { head, look });
  if (req.method !== "POST") return send(401, "password");
  const attempts = await countAttempt(linkPk, addressSubject(addressOf(req)));
  if (!attempts.ok) {
    const wait = ["Retry-After", String(attempts.retryAfterSeconds), "Connection", "close"];
    return send(429, "tooMany", wait);
  }
  const form = await readForm(req);
  if (form === undefined) {
    return send(413, "wrongPassword", ["Connection", "close"]);
  }
  const password = new URLSearchParams(form).get("password") ?? "";
  const isRight = password !== "" && (await judge(password, passwordHash));
  if (isRight === false) return send(403, "wrongPassword");
  // Neither a right password nor one that nobody looked at was a wrong one.
  await attempts.refund();
  if (!isRight) return send(503, "unavailable", ["Retry-After", String(busySeconds)]);
  const grant = makeGrant(linkPk, passwordHash, Date.now());
  res.writeHead(303, [
    "Location",
    // More than one slash, or one of the other kind, would make the first part of the path a host.
    (req.url ?? "/").replace(/^[/\\]+/, "/"),
    "Set-Cookie",
    grantCookie(grant, path),
    "Cache-Control",
    "no-store",
    "Content-Length",
    "0",
  ]);
  res.end();
}

/** Undefined: there is no room for it now. */
async function judge(password: string, passwordHash: string): Promise<boolean | undefined> {
  try {
    return await judging.pass(() => verifyPassword(password, passwordHash));
  } catch (error) {
    log.warn({ event: "password.unjudged", error: String(error) });
    return undefined;
  }
}

type Attempts =
  | { ok: true; refund: () => Promise<void> }
  | { ok: false; retryAfterSeconds: number };

/** Limited for each address, and for the link as a whole against many addresses that guess together. */
async function countAttempt(linkPk: number, address: string): Promise<Attempts> {
  const asked: [LimitName, string][] = [
    ["linkPasswordPerAddress", `${linkPk} ${address}`],
    ["linkPasswordPerLink", `${linkPk}`],
  ];
  const refunds: (() => Promise<void>)[] = [];
  for (const [name, subject] of asked) {
    const attempt = await tryLimit(name, subject);
    if (!attempt.ok) return attempt;
    refunds.push(attempt.refund);
  }
  return {
    ok: true,
    refund: async () => {
      await Promise.all(refunds.map((refund) => refund()));
    },
  };
}

/** The body as text; undefined when it is longer than any form of ours. */
async function readForm(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // What is left of a form that is too long must not end the connection before its answer.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > formBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
