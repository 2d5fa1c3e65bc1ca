import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { dashboardHeaders, setDashboardHeaders } from "./headers.ts";

/** The headers of a page and of its request to Next.js. */
function answerPage({ secure = true, development = false } = {}) {
  const req = new IncomingMessage(new Socket());
  req.headers["x-nonce"] = "chosen by a client";
  req.headers["content-security-policy"] = "script-src 'nonce-chosen'";
  const res = new ServerResponse(req);
  setDashboardHeaders(req, res, { secure, development });
  return { requestNonce: req.headers, answered: res.getHeaders() };
}

/** The sources of each directive in a policy. */
function readPolicy(policy: unknown): Record<string, string[]> {
  const directives = String(policy).split("; ");
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

test("scripts need the nonce of their own response", () => {
  const nonces = [answerPage(), answerPage()].map(({ requestNonce, answered }) => {
    const nonce = String(requestNonce["x-nonce"]);
    expect(Buffer.from(nonce, "base64")).toHaveLength(16);
    expect(requestNonce["content-security-policy"]).toBe(answered["content-security-policy"]);
    const { "script-src": scripts } = readPolicy(answered["content-security-policy"]);
    expect(scripts).toEqual(["'self'", `'nonce-${nonce}'`, "'strict-dynamic'"]);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test("no page is framed, sends its forms to another site or moves its base", () => {
  const { answered } = answerPage();
  expect(readPolicy(answered["content-security-policy"])).toMatchObject({
    "default-src": ["'self'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
    "base-uri": ["'self'"],
    "object-src": ["'none'"],
  });
  expect(answered).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
  });
});

test("only development may evaluate text", () => {
  const policyOf = (development: boolean) =>
    String(answerPage({ development }).answered["content-security-policy"]);
  expect(policyOf(true)).toContain("'unsafe-eval'");
  expect(policyOf(false)).not.toContain("unsafe-eval");
});

test("browsers are bound to TLS only where there is TLS", () => {
  expect(dashboardHeaders(true)["Strict-Transport-Security"]).toMatch(/^max-age=31536000\b/);
  expect(dashboardHeaders(false)["Strict-Transport-Security"]).toBeUndefined();
});
