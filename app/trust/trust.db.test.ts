/** The forms for reports and appeals, over HTTP and without a session. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { createBan } from "#lib/office/bans";
import { limits } from "#lib/platform/limits";
import { redis } from "#lib/platform/redis";
import { noticeTokenOf } from "#lib/tenancy/ban-recipients";
import { appealCharsMax } from "#lib/tenancy/bans/schema";
import { switchFeature } from "#lib/tenancy/features";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { makeTestOperator } from "../../test/operators.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { answerTrustPage } from "./index.ts";

openTestStores({ FUXI_ICP: "京ICP备12345678号" });
let server: Server;
let url: string;

beforeAll(async () => {
  await openLinks();
  server = createServer((req, res) => {
    if (!answerTrustPage(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function ask(path: string, fields?: Record<string, string>, language = "en") {
  const answer = await fetch(url + path, {
    headers: { "Accept-Language": language },
    ...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

test("other paths are of other parts, and other methods are refused", async () => {
  expect((await ask("/reports")).status).toBe(418);
  expect((await fetch(`${url}/report`, { method: "DELETE" })).status).toBe(405);
  expect((await fetch(`${url}/report`, { method: "HEAD" })).status).toBe(200);
});

test("the forms have the ICP number of the instance", async () => {
  for (const path of ["/report", "/appeal"]) {
    const { text } = await ask(path);
    expect(text).toContain(">京ICP备12345678号</a>");
  }
});

test("while reports are turned off, the form says so and accepts none", async () => {
  const operator = operatorOfCommandLine();
  const turn = (enabled: boolean) =>
    switchFeature(operator, "reports", { enabled, reason: "Too many" });
  await turn(false);
  for (const fields of [undefined, { link: "x", reason: "spam", text: "", email: "" }]) {
    const { status, text } = await ask("/report", fields);
    expect([status, text.includes("Reports are turned off")]).toEqual([403, true]);
  }
  await turn(true);
  expect((await ask("/report")).status).toBe(200);
});

test("the form has no script, is not stored, and shows hostile text as text", async () => {
  const hostile = '"><script>alert(1)</script>';
  for (const language of ["en", "zh"]) {
    const { text, headers } = await ask(
      `/report?link=${encodeURIComponent(hostile)}`,
      undefined,
      language,
    );
    expect(text).not.toContain("<script");
    expect(text).toContain("&quot;&gt;&lt;script&gt;");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  }
});

test("a report of an existing link and one of a missing link get the same answer", async () => {
  const ada = await makeTestScope("ada");
  const [made] = await createLinks(ada, [{ url: "https://example.com/" }]);
  const key = made?.ok ? made.link.key : "";
  const fields = { reason: "spam", text: "", email: "" };
  const existing = await ask("/report", { ...fields, link: `localhost/${key}` });
  const missing = await ask("/report", { ...fields, link: "localhost/nobody" });
  expect(existing.status).toBe(200);
  expect(missing.text).toBe(existing.text);
});

test("a wrong form is shown again with what was entered", async () => {
  for (const wrong of [{ reason: "unknown" }, { email: "nobody" }, { link: "" }]) {
    const fields = { link: "localhost/x", reason: "spam", text: "My words", email: "", ...wrong };
    const { status, text } = await ask("/report", fields);
    expect(status).toBe(422);
    expect(text).toContain("My words");
    expect(text).toContain('role="alert"');
  }
});

test("a body that is longer than any valid form is refused", async () => {
  expect((await ask("/report", { text: "x".repeat(64 * 1024 + 1) })).status).toBe(413);
});

test("an address that sent too many reports has to wait", async () => {
  await redis().flushdb();
  const fields = { link: "localhost/x", reason: "spam" };
  for (let at = 0; at < limits.reportPerAddress.max; at++) {
    expect((await ask("/report", fields)).status).toBe(200);
  }
  const refused = await ask("/report", fields);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("the page of a ban has its reason and a form that can be sent once", async () => {
  await redis().flushdb();
  const eve = await makeTestScope("eve");
  const { operator } = await makeTestOperator("root");
  const note = "Copies <b>a bank</b>";
  const ban = await createBan(operator, {
    ...{ kind: "workspace", subject: eve.slug, reason: "phishing", note },
    endsAt: "2100-01-01T00:00:00Z",
  });
  const token = noticeTokenOf(ban.id, eve.actor);
  const shown = await ask(`/appeal?token=${token}`);
  expect(shown.text).toContain("Copies &lt;b&gt;a bank&lt;/b&gt;");
  expect(shown.text).toContain("January 1, 2100");
  expect((await ask(`/appeal?token=${token}`, undefined, "zh")).text).toContain("该工作区已被封禁");
  for (const text of ["too short", "x".repeat(appealCharsMax + 1)]) {
    expect((await ask("/appeal", { token, text })).status).toBe(422);
  }
  const sent = await ask("/appeal", { token, text: "x".repeat(appealCharsMax) });
  expect(sent.text).toContain("Your appeal was sent");
  expect(sent.text).not.toContain("<textarea");
});

test("without a right token there is no page", async () => {
  for (const path of [
    "/appeal",
    "/appeal?token=",
    "/appeal?token=a.b.c",
    `/appeal?token=${"x".repeat(9_000)}`,
  ]) {
    expect((await ask(path)).status).toBe(404);
  }
});
