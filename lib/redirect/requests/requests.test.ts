import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { canonicalHost, isPrefetch, keyOfPath, userAgentOf } from "./index.ts";

test("a prefetch of a browser is recognized by either of its two headers", () => {
  expect(isPrefetch({ "sec-purpose": "prefetch;prerender" })).toBe(true);
  expect(isPrefetch({ purpose: "prefetch" })).toBe(true);
  expect(isPrefetch({ purpose: "preview" })).toBe(false);
  expect(isPrefetch({})).toBe(false);
});

test("a host is the same with port, capitals and a final dot; loopback has one name", () => {
  for (const header of ["go.example", "GO.example:8080", "go.example.", "Go.Example.:80"]) {
    expect(canonicalHost(header)).toBe("go.example");
  }
  for (const header of ["127.0.0.1:3000", "[::1]:3000", "[::1]", "localhost"]) {
    expect(canonicalHost(header)).toBe("localhost");
  }
});

test("a host in other letters is the same in UTF-8, as its bytes come, and in punycode", () => {
  const written = Buffer.from("Go.BÜCHER.example.:80").toString("latin1");
  expect(canonicalHost(written)).toBe("go.xn--bcher-kva.example");
  expect(canonicalHost("b\xfccher.example")).toBe("");
});

test("a host of more than 1,024 bytes is invalid, and is not cached", () => {
  expect(canonicalHost("a".repeat(1_024))).toHaveLength(1_024);
  expect(canonicalHost("a".repeat(1_025))).toBe("");
});

test("of a User-Agent the first 512 characters are used", () => {
  const of = (text: string) =>
    userAgentOf(
      Object.assign(new IncomingMessage(new Socket()), { headers: { "user-agent": text } }),
    );
  expect(of("x".repeat(512))).toHaveLength(512);
  expect(of("x".repeat(513))).toHaveLength(512);
});

test("a key is decoded once, composed, and refused when malformed", () => {
  expect(keyOfPath("/a%2Fb", false)).toBe("a/b");
  expect(keyOfPath("/%2541", false)).toBe("%41");
  expect(keyOfPath("/e%CC%81", false)).toBe("é");
  expect(keyOfPath("/%E4%B8%AD", false)).toBe("中");
  for (const broken of ["/%", "/%zz", "/%C3", "/%00", "/a%00b"])
    expect(keyOfPath(broken, false)).toBeUndefined();
});
