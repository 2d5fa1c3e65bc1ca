import type { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { hasDotSegment, PageGate, pageLimits, refusalOf } from "./page-gate.ts";

function request(url: string, headers: Record<string, string> = {}): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.method = "GET";
  req.url = url;
  Object.assign(req.headers, headers);
  return req;
}

const limit = (name: keyof typeof pageLimits) => pageLimits[name];

describe("a page request", () => {
  test.each([
    ["path", `/${"a".repeat(limit("pathCharsMax") - 1)}`, 414],
    ["query", `/signin?${"a".repeat(limit("queryCharsMax"))}`, 414],
    ["list of parameters", `/signin?${"a&".repeat(limit("parametersMax") - 1)}a`, 414],
  ])("with a %s at its limit passes, and one longer is refused", (_what, url, status) => {
    expect(refusalOf(request(url))).toBeUndefined();
    const longer = url.includes("&") ? `${url}&a` : `${url}a`;
    expect(refusalOf(request(longer))).toBe(status);
  });

  test.each(["cookie", "accept-language", "next-router-state-tree", "next-action"])(
    "with a header %s at its limit passes, and one longer is refused",
    (name) => {
      const ofLength = (chars: number) => request("/signin", { [name]: "a".repeat(chars) });
      expect(refusalOf(ofLength(limit("headerCharsMax")))).toBeUndefined();
      expect(refusalOf(ofLength(limit("headerCharsMax") + 1))).toBe(431);
    },
  );

  test("with as many cookies as permitted passes, and one more is refused", () => {
    const ofCookies = (count: number) =>
      request("/signin", {
        cookie: Array.from({ length: count }, (_, at) => `c${at}=1`).join("; "),
      });
    expect(refusalOf(ofCookies(limit("cookiesMax")))).toBeUndefined();
    expect(refusalOf(ofCookies(limit("cookiesMax") + 1))).toBe(431);
  });

  test.each([
    ["/app/acme/links", "bodyBytesMax"],
    ["/app", "bodyBytesMax"],
    ["/signin", "publicBodyBytesMax"],
    ["/api/auth/callback/credentials", "publicBodyBytesMax"],
    ["/apple", "publicBodyBytesMax"],
  ] as const)("to %s with a body at its limit passes, and a byte more is refused", (url, name) => {
    const ofLength = (bytes: number) => request(url, { "content-length": String(bytes) });
    expect(refusalOf(ofLength(limit(name)))).toBeUndefined();
    expect(refusalOf(ofLength(limit(name) + 1))).toBe(413);
  });

  const formTo = (url: string, headers: Record<string, string> = {}, method = "POST") => {
    const req = request(url, {
      host: "fuxi.example",
      "next-action": "0",
      "content-type": "text/plain;charset=UTF-8",
      ...headers,
    });
    req.method = method;
    return req;
  };

  test.each(["text/plain;charset=UTF-8", "multipart/form-data; boundary=x"])(
    "that sends a form of the type %s from this site passes",
    (type) => {
      const headers = { "content-type": type, origin: "https://fuxi.example" };
      expect(refusalOf(formTo("/app/acme/links", headers))).toBeUndefined();
      expect(refusalOf(formTo("/app/acme/links"))).toBeUndefined();
    },
  );

  test.each([
    ["https://other.example", 403],
    ["https://fuxi.example:8443", 403],
    ["null", 403],
    ["garbage", 403],
    ["", 403],
  ])("that sends a form from the origin %j is refused", (origin, status) => {
    expect(refusalOf(formTo("/app/acme/links", { origin }))).toBe(status);
  });

  test.each(["application/json", "application/x-www-form-urlencoded", "multipart/mixed", ""])(
    "that sends a form of the type %j is refused",
    (type) => {
      expect(refusalOf(formTo("/signin", { "content-type": type }))).toBe(415);
    },
  );

  test("that sends a form without naming an action is refused, except to sign in", () => {
    const { "next-action": _, ...headers } = formTo("/signin").headers;
    const plain = (url: string) => Object.assign(formTo(url), { headers });
    expect(refusalOf(plain("/signin"))).toBe(405);
    expect(refusalOf(plain("/api/auth/callback/password"))).toBeUndefined();
  });

  test.each(["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])("with %s is refused", (method) => {
    expect(refusalOf(formTo("/app", {}, method))).toBe(405);
  });

  test.each([
    "/app/%ff",
    "/app/%E0%A4%A",
    "/legal/%",
    "/app/%00",
    "/app/a%00b",
    "/reset?token=%00",
  ])("%s is refused, because it stands for no text", (url) => {
    expect(refusalOf(request(url))).toBe(400);
  });

  test("with a body of unknown length is refused", () => {
    expect(refusalOf(request("/signin", { "transfer-encoding": "chunked" }))).toBe(411);
  });

  test("may have a long User-Agent, which the proxy cuts", () => {
    expect(refusalOf(request("/signin", { "user-agent": "a".repeat(60_000) }))).toBeUndefined();
  });

  test.each([
    "/app/../api/links",
    "/_next/../api/links",
    "/app/%2e%2e/api",
    "/app/.%2E/api",
    "/app/./links",
    "/app/..",
    "/app\\..\\api",
    "/%2E%2e/app",
  ])("%s is refused, because readers disagree about it", (url) => {
    expect(refusalOf(request(url))).toBe(400);
  });

  test.each(["/a..b", "/.well-known/x", "/...", "/a.", "/app?x=/../y"])("%s passes", (url) => {
    expect(hasDotSegment(url.split("?")[0] ?? "")).toBe(false);
    expect(refusalOf(request(url))).toBeUndefined();
  });
});

describe("of one network", () => {
  function open(gate: PageGate, address: string, url = "/signin") {
    const req = request(url);
    const res = new ServerResponse(req);
    const state = { begun: false, res, close: () => (res as EventEmitter).emit("close") };
    gate.pass(req, res, address, () => {
      state.begun = true;
    });
    return state;
  }
  const many = (gate: PageGate, count: number, address = "192.0.2.1") =>
    Array.from({ length: count }, () => open(gate, address));
  const begun = (list: { begun: boolean }[]) => list.filter((one) => one.begun).length;
  const { runningMax, runningPerGroupMax, waitingPerGroupMax, heldMsMax } = pageLimits;

  test("so many requests run, so many wait, and one more is refused", () => {
    const gate = new PageGate();
    const all = many(gate, runningPerGroupMax + waitingPerGroupMax);
    expect(begun(all)).toBe(runningPerGroupMax);
    const late = open(gate, "192.0.2.1");
    expect([late.begun, late.res.statusCode]).toEqual([false, 429]);
    expect(open(gate, "192.0.2.2").begun).toBe(true);
    all[0]?.close();
    expect(all[runningPerGroupMax]?.begun).toBe(true);
  });

  test("and all others, so many requests run, and the next turn is that of the network that waited longest", () => {
    const gate = new PageGate();
    const first = many(gate, 100, "192.0.2.1");
    const second = many(gate, 100, "192.0.2.2");
    expect([begun(first), begun(second)]).toEqual([
      runningPerGroupMax,
      runningMax - runningPerGroupMax,
    ]);
    const page = open(gate, "192.0.2.3");
    expect(page.begun).toBe(false);
    first[0]?.close();
    first[1]?.close();
    first[2]?.close();
    expect(page.begun).toBe(true);
  });

  test("one that is answered slowly makes room after a while", () => {
    vi.useFakeTimers();
    const gate = new PageGate();
    const slow = many(gate, runningPerGroupMax + 1);
    vi.advanceTimersByTime(heldMsMax - 1);
    expect(begun(slow)).toBe(runningPerGroupMax);
    vi.advanceTimersByTime(1);
    expect(begun(slow)).toBe(runningPerGroupMax + 1);
    // Its end is not counted twice.
    for (const one of slow) one.close();
    expect(begun(many(gate, runningMax))).toBe(runningPerGroupMax);
    vi.useRealTimers();
  });

  test("one that gives up while it waits takes nobody's place", () => {
    const gate = new PageGate();
    const running = many(gate, runningPerGroupMax);
    const [first, second] = many(gate, 2);
    first?.close();
    running[0]?.close();
    expect([first?.begun, second?.begun]).toEqual([false, true]);
  });

  test("addresses of one /64 are one network", () => {
    const gate = new PageGate();
    many(gate, runningPerGroupMax, "2001:db8:1:2::1");
    expect(open(gate, "2001:db8:1:2::ffff").begun).toBe(false);
    expect(open(gate, "2001:db8:1:3::1").begun).toBe(true);
    many(gate, runningPerGroupMax, "2001:db8::1");
    expect(open(gate, "2001:db8::2").begun).toBe(false);
  });

  test("files of a build are not counted", () => {
    const gate = new PageGate();
    many(gate, runningMax);
    expect(open(gate, "192.0.2.1", "/_next/static/chunks/a.js").begun).toBe(true);
  });
});
