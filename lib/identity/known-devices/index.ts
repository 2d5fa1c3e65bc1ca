/**
 * Browsers on which a person has signed in before.
 *
 * Wrong passwords and requests for emails are limited, and anyone can use up the limit of an
 * address. So a successful sign-in leaves a signed cookie, and attempts of a browser that has it
 * are counted separately. The cookie does not sign in, and reveals neither the account nor how
 * often it was used.
 *
 * One entry per account, newest first: day (base 36) . nonce . signature over both and the email
 * address. A changed address or a new FUXI_SESSION_SECRET ends it.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { dayMs, daySeconds } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";

export const deviceDays = 180;
export const deviceAccountsMax = 5;
const nonceBytes = 12;
const signatureChars = 32;
const entryShape = /^([0-9a-z]{1,6})\.([\w-]{16})\.([\w-]{32})$/;

/** `__Host-` makes browsers reject the cookie from other hosts or without TLS. */
function deviceCookie(): { name: string; secure: boolean } {
  const secure = config().FUXI_URL.startsWith("https:");
  return { name: secure ? "__Host-fuxi-device" : "fuxi-device", secure };
}

function sign(day: string, nonce: string, email: string): Buffer {
  const key = createHmac("sha256", config().FUXI_SESSION_SECRET).update("known device").digest();
  // defence: known-browser-of-account
  const mac = createHmac("sha256", key).update(`${day}.${nonce}.${email}`).digest("base64url");
  return Buffer.from(mac.slice(0, signatureChars));
}

interface Entry {
  text: string;
  nonce: string;
  valid: boolean;
}

function readEntries(cookies: string, email: string, now: number): Entry[] {
  const { name } = deviceCookie();
  const pairs = cookies.split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const today = Math.floor(now / dayMs);
  return value.split("~", deviceAccountsMax).flatMap((text) => {
    const [, day = "", nonce = "", signature = ""] = entryShape.exec(text) ?? [];
    if (nonce === "") return [];
    const age = today - Number.parseInt(day, 36);
    const recent = age >= -1 && age < deviceDays;
    const right = timingSafeEqual(sign(day, nonce, email), Buffer.from(signature));
    return [{ text, nonce, valid: recent && right }];
  });
}

export function findDevice(cookies: string, email: string, now = Date.now()): string | undefined {
  return readEntries(cookies, email, now).find(({ valid }) => valid)?.nonce;
}

/** A known browser keeps its identifier, and with it its count of attempts. */
export function rememberDevice(cookies: string, email: string, now = Date.now()): string {
  const entries = readEntries(cookies, email, now);
  const known = entries.find(({ valid }) => valid);
  const nonce = known?.nonce ?? randomBytes(nonceBytes).toString("base64url");
  const day = Math.floor(now / dayMs).toString(36);
  const entry = `${day}.${nonce}.${sign(day, nonce, email)}`;
  const others = entries.filter((one) => one !== known).map(({ text }) => text);
  const value = [entry, ...others].slice(0, deviceAccountsMax).join("~");
  const { name, secure } = deviceCookie();
  const end = `Path=/; Max-Age=${deviceDays * daySeconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${end}${secure ? "; Secure" : ""}`;
}
