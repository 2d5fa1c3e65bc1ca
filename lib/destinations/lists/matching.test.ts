import fc from "fast-check";
import { expect, test } from "vitest";
import { compileList, HostList, type HostReach } from "#lib/basics/urls";
import { findRefused } from "./index.ts";

function hostOf(url: string): string {
  return new URL(url).hostname;
}

function matches(reach: HostReach, entries: readonly string[], url: string): boolean {
  const list = new HostList(reach);
  for (const entry of entries) list.add(entry);
  return list.matches(hostOf(url), url);
}

test.each([
  ["example.com", "https://example.com/x", true],
  ["example.com", "http://example.com:8443/", true],
  ["example.com", "https://www.example.com/", false],
  ["example.com", "https://example.com.evil.example/", false],
  ["example.com", "https://badexample.com/", false],
  ["*.example.com", "https://www.example.com/", true],
  ["*.example.com", "https://a.b.example.com/", true],
  ["*.example.com", "https://example.com/", false],
  ["*.example.com", "https://badexample.com/", false],
  ["example.com/shop", "https://example.com/shop", true],
  ["example.com/shop", "https://example.com/shop?a#b", true],
  ["example.com/shop", "https://example.com/shop/a", true],
  ["example.com/shop", "https://example.com/shopping", false],
  ["example.com/shop", "https://example.com/", false],
  ["example.com/shop", "https://example.com/%73hop", true],
  ["example.com/shop", "https://example.com/shop/..%2fadmin", false],
  ["*.example.com/shop", "https://www.example.com/shop/", true],
  ["*.example.com/shop", "https://example.com/shop/", false],
])("the entry %s of an allow list and %s: %s", (entry, url, expected) => {
  expect(matches("host", [entry], url)).toBe(expected);
});

test.each([
  ["example.com", "https://example.com/x", true],
  ["example.com", "https://www.example.com/", true],
  ["example.com", "https://a.b.example.com/", true],
  ["example.com", "https://badexample.com/", false],
  ["www.example.com", "https://example.com/", false],
  ["*.example.com", "https://www.example.com/", true],
  ["*.example.com", "https://example.com/", false],
  ["example.com/shop", "https://example.com/shop/a", true],
  ["example.com/shop", "https://www.example.com/shop/a", true],
  ["example.com/shop", "https://www.example.com/shopping", false],
])("the entry %s of a block list and %s: %s", (entry, url, expected) => {
  expect(matches("host and subdomains", [entry], url)).toBe(expected);
});

const reaches = ["host", "host and subdomains"] as const satisfies readonly HostReach[];

test.each(reaches)("a list whose entries reach %s answers like each entry alone", (reach) => {
  const label = fc.constantFrom("a", "b", "c");
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
  const path = fc.constantFrom("", "/a", "/a/b");
  const entry = fc.tuple(fc.constantFrom("", "*."), host, path).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), host, path, (entries, name, below) => {
      const url = `https://${name}${below}`;
      const alone = entries.some((one) => {
        const [pattern = "", ...rest] = one.split("/");
        const isBelow = name.endsWith(`.${pattern.replace(/^\*\./, "")}`);
        const fits = pattern.startsWith("*.")
          ? isBelow
          : name === pattern || (isBelow && reach === "host and subdomains");
        const start = rest.length > 0 ? `/${rest.join("/")}` : "";
        return fits && `${below}/`.startsWith(`${start}/`);
      });
      expect(matches(reach, entries, url)).toBe(alone);
    }),
  );
});

const url = "https://shop.example/";

async function refusal(
  lists: { instance?: object; workspace?: object },
  ...urls: string[]
): Promise<unknown> {
  const compiled = async (given: object = {}) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(given).map(async ([kind, entries]) => [
          kind,
          await compileList(kind === "allow" ? "host" : "host and subdomains", entries, []),
        ]),
      ),
    );
  const [instance, workspace] = await Promise.all([
    compiled(lists.instance),
    compiled(lists.workspace),
  ]);
  return findRefused({ instance, workspace, banned: new Map() }, urls, hostOf);
}

test("without an allow list everything is allowed; with an empty one nothing is", async () => {
  expect(await refusal({}, url)).toBeUndefined();
  expect(await refusal({ workspace: { block: [] } }, url)).toBeUndefined();
  expect(await refusal({ workspace: { allow: [] } }, url)).toEqual({
    host: "shop.example",
    list: "allow",
    owner: "workspace",
  });
});

test("a destination must be allowed by the instance and the workspace, and blocked by neither", async () => {
  const allow = ["shop.example"];
  expect(await refusal({ instance: { allow }, workspace: { allow } }, url)).toBeUndefined();
  expect(await refusal({ instance: { allow: ["a.example"] }, workspace: { allow } }, url)).toEqual({
    host: "shop.example",
    list: "allow",
    owner: "instance",
  });
  const blocked = { instance: { allow, block: allow }, workspace: { allow } };
  expect(await refusal(blocked, url)).toEqual({
    host: "shop.example",
    list: "block",
    owner: "instance",
  });
});

test("a host with a final dot is the same host, for a block list and an allow list", async () => {
  const dotted = "https://shop.example./";
  expect(await refusal({ workspace: { block: ["shop.example"] } }, dotted)).toMatchObject({
    list: "block",
  });
  expect(await refusal({ workspace: { allow: ["shop.example"] } }, dotted)).toBeUndefined();
});

test("one refused destination among many is found, and apps are not checked", async () => {
  const lists = { workspace: { allow: ["shop.example"] } };
  expect(await refusal(lists, url, "tel:+4912345", "whatsapp://send")).toBeUndefined();
  expect(await refusal(lists, url, "https://evil.example/")).toMatchObject({
    host: "evil.example",
  });
  const intent = "intent://evil.example/#Intent;scheme=https;end";
  expect(await refusal(lists, url, intent)).toMatchObject({ host: "evil.example" });
});

test("a list of 100,000 lines is compiled completely, in turns", async () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `host-${at}.example`);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const list = await compileList("host", ["first.example"], [lines.join("\n"), ""]);
  clearInterval(timer);
  expect(list.size).toBe(100_001);
  expect(turns).toBeGreaterThan(0);
  expect(list.matches("host-99999.example", url)).toBe(true);
  expect(list.matches("host-100000.example", url)).toBe(false);
});
