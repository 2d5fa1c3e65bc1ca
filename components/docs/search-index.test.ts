import { expect, test } from "vitest";
import { createDocsIndex, docsTokens } from "./search-index.ts";

const entries = [
  { href: "/docs/rules#order", page: "Rules", title: "How rules are evaluated", text: "Top down." },
  { href: "/docs/passwords", page: "Passwords", title: "Set a password", text: "Rules do not." },
  { href: "/docs/zh", page: "密码", title: "设置密码", text: "输入不超过 200 个字符的密码。" },
  { href: "/docs/zh2", page: "规则", title: "跳转规则", text: "按国家或地区跳转，不需要 Cookie。" },
];
const find = (text: string) => createDocsIndex(entries)(text, 10).map(({ href }) => href);

test("Chinese text is found by any of its words, without spaces", () => {
  expect(find("密码")).toEqual(["/docs/zh"]);
  expect(find("规则")).toEqual(["/docs/zh2"]);
  expect(find("国家或地区")).toEqual(["/docs/zh2"]);
  expect(find("字符")).toEqual(["/docs/zh"]);
  expect(find("设")).toEqual(["/docs/zh"]);
  expect(find("cookie 跳转")).toEqual(["/docs/zh2"]);
  expect(find("域名")).toEqual([]);
});

test("a title counts more than a text, words may be unfinished or mistyped, and all must occur", () => {
  expect(find("rules")).toEqual(["/docs/rules#order", "/docs/passwords"]);
  expect(find("eval")).toEqual(["/docs/rules#order"]);
  expect(find("pasword")).toEqual(["/docs/passwords"]);
  expect(find("rules nothing")).toEqual([]);
  expect(find("ＰＡＳＳＷＯＲＤ")).toEqual(["/docs/passwords"]);
});

test("hostile texts find nothing and stop nothing", () => {
  for (const text of ["", " ", "*", "\0", "\u{d800}", "(".repeat(10_000), "__proto__"]) {
    expect(find(text)).toEqual([]);
  }
});

test("mixed text is separated into words and pairs of characters", () => {
  expect(docsTokens("用 UTM 参数API密钥 external_id")).toEqual([
    ...["用", "utm", "参数", "api", "密钥", "external_id"],
  ]);
  expect(docsTokens("短链接")).toEqual(["短链", "链接"]);
});
