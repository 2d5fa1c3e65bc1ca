import { expect, test } from "vitest";
import { refuseMalformed } from "./malformed.ts";

const own = "https://fuxi.example/api/auth/";

function statusOf(path: string, cookie?: string): number | undefined {
  const request = new Request(`${own}${path}`, cookie === undefined ? {} : { headers: { cookie } });
  const segments = path.split("?")[0]?.split("/") ?? [];
  return refuseMalformed(request, segments.map(decodeURIComponent))?.status;
}

test.each([
  "csrf",
  "session",
  "callback/github?callbackUrl=%2Fapp",
  "signin?callbackUrl=https%3A%2F%2Ffuxi.example%2Fapp",
  "error?error=OAuthAccountNotLinked",
  "signin?callbackUrl=&error=",
])("%s passes", (path) => {
  expect(statusOf(path)).toBeUndefined();
  expect(statusOf(path, "a=b; next-auth.callback-url=https%3A%2F%2Ffuxi.example%2Fapp")).toBe(
    undefined,
  );
});

test.each([
  "signin/password?callbackUrl=%00",
  "signin?callbackUrl=x",
  "signin?callbackUrl=javascript:alert(1)",
  "signin?callbackUrl=%2Fapp&callbackUrl=http%3A%2F%2F",
  "error?error=%00",
  "error?error=a%0d%0aSet-Cookie:x",
  "error/%E4%B8%AD",
])("%s is refused", (path) => {
  expect(statusOf(path)).toBe(400);
});

test.each(["next-auth.callback-url", "__Secure-next-auth.callback-url"])(
  "a malformed cookie %s is refused and deleted",
  (name) => {
    const request = new Request(`${own}csrf`, { headers: { cookie: `a=b; ${name}=%E4%A` } });
    const answer = refuseMalformed(request, ["csrf"]);
    expect([answer?.status, answer?.headers.get("set-cookie")]).toEqual([
      400,
      `${name}=; Path=/; Max-Age=0`,
    ]);
  },
);

test("a malformed cookie behind a valid one of its name is refused", () => {
  const valid = "next-auth.callback-url=https%3A%2F%2Ffuxi.example%2Fapp";
  expect(statusOf("csrf", `${valid}; ${valid}`)).toBeUndefined();
  expect(statusOf("csrf", `${valid}; next-auth.callback-url=%00`)).toBe(400);
});

test.each(["callback/password", "callback/letter"])("%s accepts its form only", (path) => {
  expect(statusOf(path)).toBe(405);
  const form = new Request(`${own}${path}`, { method: "POST" });
  expect(refuseMalformed(form, path.split("/"))).toBeUndefined();
});

test.each([
  ["application/x-www-form-urlencoded;charset=UTF-8", undefined],
  ["application/json", 415],
  ["multipart/form-data; boundary=x", 415],
  ["text/plain", 415],
])("a body of the type %s is answered with %j", (type, status) => {
  const request = new Request(`${own}signout`, {
    method: "POST",
    headers: { "content-type": type },
    body: "a=b",
  });
  expect(refuseMalformed(request, ["signout"])?.status).toBe(status);
});
