import { beforeAll, expect, test } from "vitest";
import { deviceAccountsMax, deviceDays, findDevice, rememberDevice } from "./index.ts";

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://localhost/none",
    REDIS_URL: "redis://localhost",
    FUXI_URL: "https://links.example.com",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
  });
});

const now = Date.UTC(2026, 0, 31, 12);
const dayMs = 86_400_000;
const email = "ada@example.com";

function cookieOf(header: string): string {
  return header.split(";")[0] ?? "";
}

test("a browser is known after a sign-in, by an unreadable cookie for this host only", () => {
  const header = rememberDevice("", email, now);
  expect(header).toMatch(
    /^__Host-fuxi-device=\S+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(header).not.toContain("ada");
  const cookies = `theme=dark; ${cookieOf(header)}; zone=UTC`;
  expect(findDevice(cookies, email, now)).toBeDefined();
  expect(findDevice(cookies, "eve@example.com", now)).toBeUndefined();
});

test(`a browser is known for ${deviceDays} days after the last sign-in, and not one more`, () => {
  const cookies = cookieOf(rememberDevice("", email, now));
  expect(findDevice(cookies, email, now + (deviceDays - 1) * dayMs)).toBeDefined();
  expect(findDevice(cookies, email, now + deviceDays * dayMs)).toBeUndefined();
  expect(findDevice(cookies, email, now - 2 * dayMs)).toBeUndefined();
});

test("a known browser keeps its identifier, and so its count of attempts", () => {
  const cookies = cookieOf(rememberDevice("", email, now));
  const renewed = cookieOf(rememberDevice(cookies, email, now + dayMs));
  expect(findDevice(renewed, email, now)).toBe(findDevice(cookies, email, now));
  expect(renewed).not.toBe(cookies);
});

test(`a browser knows ${deviceAccountsMax} accounts, the latest ones`, () => {
  let cookies = "";
  const emails = Array.from({ length: deviceAccountsMax + 1 }, (_, at) => `p${at}@example.com`);
  for (const one of emails) cookies = cookieOf(rememberDevice(cookies, one, now));
  const known = emails.map((one) => findDevice(cookies, one, now) !== undefined);
  expect(known).toEqual([false, ...Array.from({ length: deviceAccountsMax }, () => true)]);
});

test("a changed or invented cookie is unknown", () => {
  const cookies = cookieOf(rememberDevice("", email, now));
  const [day = "", nonce = "", signature = ""] = cookies.slice(cookies.indexOf("=") + 1).split(".");
  const last = signature.endsWith("A") ? "B" : "A";
  for (const value of [
    `${day}.${nonce}.${signature.slice(0, -1)}${last}`,
    `${day}z.${nonce}.${signature}`,
    `${day}.${nonce}.`,
    `${day}.${nonce}`,
    "",
    "~~~~",
    "é".repeat(32),
    "x".repeat(10_000),
  ]) {
    expect(findDevice(`__Host-fuxi-device=${value}`, email, now), value).toBeUndefined();
  }
});
