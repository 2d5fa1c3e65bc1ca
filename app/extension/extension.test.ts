import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverOf, webUrlOf } from "./addresses.ts";

const folder = import.meta.dirname;
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const messagesOf = (locale: string): Record<string, { message: string }> =>
  JSON.parse(read(`_locales/${locale}/messages.json`));

test("both languages have the same texts, with the same values, and each is used", () => {
  const [english, chinese] = [messagesOf("en"), messagesOf("zh_CN")];
  expect(Object.keys(chinese)).toEqual(Object.keys(english));
  const code = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map(read)
    .join();
  const html = read("popup.html");
  for (const [name, { message }] of Object.entries(english)) {
    const values = (text: string) => text.match(/\$\d/g) ?? [];
    expect(values(chinese[name]?.message ?? "")).toEqual(values(message));
    const uses = [`"${name}"`, `__MSG_${name}__`, `>${name}<`];
    const isUsed = uses.some((use) => (code + html + read("manifest.json")).includes(use));
    expect([name, isUsed]).toEqual([name, true]);
  }
  const named = [...html.matchAll(/data-text[^>]*>([^<]*)<|data-hint="(\w+)"/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, content, hint] of named) expect(english).toHaveProperty(content ?? hint ?? "");
});

test("the extension asks for no more than it uses, and runs no code but its own", () => {
  const manifest = JSON.parse(read("manifest.json"));
  expect(manifest.permissions).toEqual(["activeTab", "contextMenus", "storage"]);
  expect(manifest.host_permissions).toBeUndefined();
  expect(manifest.content_scripts).toBeUndefined();
  expect(manifest.web_accessible_resources).toBeUndefined();
  const policy: string = manifest.content_security_policy.extension_pages;
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(read("popup.html")).not.toMatch(
    /<script(?! type="module" src="popup.js")|\son\w+=|style=/,
  );
});

test.each([
  ["https://links.example.com", "https://links.example.com"],
  [" links.example.com/app/acme ", "https://links.example.com"],
  ["http://localhost:3000/", "http://localhost:3000"],
  ["localhost:3000", "https://localhost:3000"],
  ["", undefined],
  ["https://", undefined],
  ["https://ada:secret@links.example.com", undefined],
  ["javascript://x/%0aalert(1)", undefined],
  ["file:///etc/passwd", undefined],
])("the address %o is that of the server %o", (entered, server) => {
  expect(serverOf(entered)).toBe(server);
});

test.each([
  ["https://example.com/a?b#c", true],
  ["HTTP://example.com", true],
  ["chrome://version/", false],
  ["chrome-extension://abc/popup.html", false],
  ["javascript:alert(1)", false],
  ["file:///tmp/a.html", false],
  ["about:blank", false],
  ["", false],
])("%o can be a destination: %o", (entered, can) => {
  expect(webUrlOf(entered)).toBe(can ? entered : undefined);
});
