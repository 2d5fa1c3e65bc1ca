import { expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();
const { ask, make } = openTestVisits("previews");

const secret = "https://secret.example/place";

test("a plus behind a link shows its destination, redirects no visitor and counts no visit", async () => {
  const { key } = await make({
    url: "https://shop.example/sale?a=1&b=2",
    title: "Our <b>sale</b>",
  });
  await redis().del(redisKeys.clickStream(0));
  for (const path of [`/${key}+`, `/${key}%2B`]) {
    const { status, headers, body } = await ask(path);
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(body).toContain(`<bdi dir="ltr">localhost/${key}</bdi>`);
    expect(body).toContain('<bdi dir="ltr">shop.example</bdi>');
    expect(body).toContain("https://shop.example/sale?a=1&amp;b=2");
    expect(body).toContain("Our &lt;b&gt;sale&lt;/b&gt;");
    expect(body).toContain(`href="/${key}"`);
    expect(headers["x-robots-tag"]).toBe("noindex");
  }
  expect((await ask(`/${key}+`, { method: "HEAD" })).body).toBe("");
  expect((await ask(`/${key}+`, { method: "POST" })).status).toBe(405);
  expect(await redis().xlen(redisKeys.clickStream(0))).toBe(0);
});

test("a preview of the longest address and title is small", async () => {
  const long = await make({
    url: `https://example.com/${"é".repeat(30_000)}`,
    title: "<".repeat(500),
  });
  const { body } = await ask(`/${long.key}+`);
  expect(Buffer.byteLength(body)).toBeLessThan(10_000);
  expect(body).toContain("…");
});

test("a link with its own plus takes precedence over a preview, and a missing link has none", async () => {
  await make({ key: "c", url: "https://example.com/c" });
  await make({ key: "c+", url: "https://example.com/c-plus" });
  expect((await ask("/c+")).headers.location).toBe("https://example.com/c-plus");
  expect((await ask("/c++")).status).toBe(200);
  expect((await ask("/nobody+")).status).toBe(404);
  expect((await ask("/+")).status).toBe(404);
});

test.each([
  ["a name before the host", "https://good.example@evil.example/x", "evil.example", "good.example"],
  ["a password too", "https://good.example:pw@evil.example/", "evil.example", "good.example"],
  ["letters that look like others", "https://аpple.com/", "xn--pple-43d.com", "аpple"],
  ["a mark that turns the direction", "https://evil.example/\u202egpj.exe", "%E2%80%AE", "\u202e"],
  ["a character without width", "https://evil.example/a\u200bb", "%E2%80%8B", "\u200b"],
])("a preview is not fooled by %s", async (_, url, shown, hidden) => {
  const { key } = await make({ url });
  const { body } = await ask(`/${key}+`);
  expect(body).toContain(shown);
  expect(body).not.toContain(hidden);
});

test("a title cannot reverse, hide or end neighbouring text", async () => {
  const { key } = await make({ title: '\u202e"moc.elgoog\u2066\u200b\u{e0041}</dd><script>x' });
  const { body } = await ask(`/${key}+`);
  expect(body).toContain("&quot;moc.elgoog&lt;/dd&gt;&lt;script&gt;x");
  expect(body).not.toMatch(/[\u202e\u2066\u200b]|\u{e0041}|<script/u);
});

test("a link with a password or a limit of visits reveals nothing of its destination", async () => {
  for (const more of [{ password: "open sesame" }, { maxClicks: 3 }]) {
    const { key } = await make({ url: secret, title: "secret title", ...more });
    const { status, all } = await ask(`/${key}+`);
    expect(status).toBe(200);
    expect(all).not.toMatch(/secret\.example|secret title/);
    expect(all).toContain(`href="/${key}"`);
  }
});

test("the clicks are shown only where the owner enabled it, whatever else is secret", async () => {
  const [open, secretive, shut] = [
    await make({ publicStats: true }),
    await make({ publicStats: true, password: "open sesame", url: secret }),
    await make({}),
  ];
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    SELECT pk, workspace_pk, 1234567
    FROM link
    WHERE key = ANY(${[open.key, secretive.key, shut.key]})
    ON CONFLICT (link_pk) DO UPDATE SET clicks = EXCLUDED.clicks`);
  const shown = "<dt>Clicks (without bots)</dt>";
  expect((await ask(`/${open.key}+`)).body).toContain(
    `${shown}<dd><bdi dir="ltr">1,234,567</bdi></dd>`,
  );
  const secretBody = (await ask(`/${secretive.key}+`)).body;
  expect(secretBody).toContain("1,234,567");
  expect(secretBody).not.toContain("secret.example");
  expect((await ask(`/${shut.key}+`)).body).not.toMatch(/Clicks|1,234,567/);
  const fresh = await make({ publicStats: true });
  expect((await ask(`/${fresh.key}+`)).body).toContain('<bdi dir="ltr">0</bdi>');
});

test("a preview of a link that does not redirect is the page with the reason, despite a fallback address", async () => {
  const over = { expiresAt: "2020-01-01T00:00:00Z", expiredUrl: "https://example.com/over" };
  const ended = await make({ url: secret, ...over });
  const early = await make({ url: secret, startsAt: "2100-01-01T00:00:00Z" });
  const disabled = await make({ url: secret, disabled: true });
  const banned = await make({ url: secret });
  await query(sql`UPDATE link SET banned_at = now() WHERE key = ${banned.key}`);
  await redis().flushdb();
  const states: [string, number][] = [
    [ended.key, 410],
    [early.key, 404],
    [disabled.key, 410],
    [banned.key, 451],
  ];
  for (const [key, status] of states) {
    const answer = await ask(`/${key}+`);
    expect([answer.status, answer.headers.location]).toEqual([status, undefined]);
    expect(answer.all).not.toMatch(/secret\.example|example\.com\/over/);
  }
});

test("of several destinations the visitor's own is shown, and the existence of others", async () => {
  const { key } = await make({
    rules: [{ language: ["fr"], url: "https://example.com/france" }],
  });
  const french = await ask(`/${key}+`, { headers: { "accept-language": "fr,zh;q=0.1" } });
  expect(french.body).toContain("https://example.com/france");
  expect(french.body).toContain("多个目标");
  expect((await ask(`/${key}+`)).body).toContain("several destinations");
});
