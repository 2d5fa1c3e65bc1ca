import { expect, test } from "vitest";
import { parseHost } from "./names.ts";

function hostOf(text: string, local = false): string | undefined {
  const parsed = parseHost(text, local);
  return parsed.ok ? parsed.host : undefined;
}

test.each([
  ["go.example.com", "go.example.com"],
  ["GO.Example.COM", "go.example.com"],
  ["例え.jp", "xn--r8jz45g.jp"],
  ["xn--r8jz45g.jp", "xn--r8jz45g.jp"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["ｅｘａｍｐｌｅ.com", "example.com"],
  ["go。example。com", "go.example.com"],
  ["1.2.3.example", "1.2.3.example"],
  ["a-b.c--d.example", "a-b.c--d.example"],
])("%s is the host %s", (text, host) => {
  expect(hostOf(text)).toBe(host);
});

test.each([
  "",
  "localhost",
  "example",
  "go.example.com.",
  "go..example.com",
  ".example.com",
  "https://go.example.com",
  "go.example.com/path",
  "go.example.com:443",
  "user@example.com",
  "go example.com",
  "go.example.com\n",
  "go\0.example.com",
  "-go.example.com",
  "go-.example.com",
  "go_x.example.com",
  "*.example.com",
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "1.2.3",
  "example.0x7f",
  "[::1]",
  "::1",
  "xn--.example",
  "xn--zzzzzzz--.example",
  "go.example.com?x",
  "go.example.com#x",
  "%67o.example.com",
])("%j is not a host", (text) => {
  expect(hostOf(text)).toBeUndefined();
  expect(hostOf(text, true)).toBeUndefined();
});

test("a part has 1 to 63 characters and a host at most 253", () => {
  const label = "a".repeat(63);
  expect(hostOf(`${label}.example`)).toBe(`${label}.example`);
  expect(hostOf(`${label}a.example`)).toBeUndefined();
  const longest = `${"a".repeat(61)}.${label}.${label}.${label}`;
  expect(longest).toHaveLength(253);
  expect(hostOf(longest)).toBe(longest);
  expect(hostOf(`a${longest}`)).toBeUndefined();
  expect(hostOf("a.".repeat(500_000))).toBeUndefined();
});

test("names below localhost are hosts only where the installation is on localhost itself", () => {
  expect(hostOf("go.localhost", true)).toBe("go.localhost");
  expect(hostOf("go.localhost", false)).toBeUndefined();
});
