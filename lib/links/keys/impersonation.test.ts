import { expect, test } from "vitest";
import type { Domain } from "#lib/links/hosts";
import { parseKey, parseNewKey } from "./index.ts";

const shared: Domain = {
  pk: 1,
  slug: "fx.example",
  workspacePk: undefined,
  caseInsensitive: false,
  isPublic: false,
};
const own: Domain = {
  pk: 2,
  slug: "go.acme.example",
  workspacePk: 7,
  caseInsensitive: false,
  isPublic: false,
};

test.each([
  ...["login", "Login", "LOGIN", "log-in", "log_in", "l.o.g.i.n", "sign-in", "account"],
  ...["auth", "sso", "security", "l0gin", "1ogin", "adm1n", "p@ssword", "passw0rd", "secur1ty"],
  ...["lоgin", "аdmin", "ѕecurity", "αdmin", "ｌｏｇｉｎ", "lögin", "𝐥𝐨𝐠𝐢𝐧", "login/now", "sso/"],
  ...["登录", "帳號", "ログイン", "вход", "Вход", "anmelden", "reset-password", "fuxi"],
])("%s is refused on the domain that all workspaces share, and free on a domain of one", (key) => {
  expect(parseNewKey(key, shared)).toMatchObject({ ok: false });
  expect(parseNewKey(key, own)).toMatchObject({ ok: true });
});

test("admin is refused on every domain, because the back office has this path", () => {
  for (const domain of [shared, own]) {
    expect(parseNewKey("admin", domain)).toMatchObject({ ok: false });
  }
});

test.each([
  "blog",
  "autumn",
  "logins-2026",
  "admin-guide",
  "authors",
  "promo/login",
  "登山",
  "2026",
])("%s is free everywhere", (key) => {
  expect(parseNewKey(key, shared)).toMatchObject({ ok: true });
});

test("a link that has such a slug already is still found by it", () => {
  expect(parseKey("login", shared)).toEqual({ ok: true, key: "login" });
});
