import { expect, test } from "vitest";
import { query, sql, transaction } from "#lib/platform/postgres";
import { hosts } from "#lib/redirect/targets";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { lookupsMax } from "./certificate.ts";

const token = "the certificate token of this test";
openTestStores({
  FUXI_URL: "https://app.fuxi.example",
  FUXI_SHORT_HOST: "fx.example",
  FUXI_CERTIFICATE_TOKEN: token,
});
const { ask, scope } = openTestVisits("certificates");

async function add(slug: string, more: { verified?: boolean; archived?: boolean } = {}) {
  const { verified = true, archived = false } = more;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, archived, verified_at)
    VALUES (
      ${slug}, ${scope().workspacePk}, ${slug}, ${archived},
      CASE WHEN ${verified} THEN now() END
    )`);
}

async function statusOf(domain: string, options = {}): Promise<number | undefined> {
  const query = new URLSearchParams({ domain, token });
  const path = `/.well-known/fuxi-certificate?${query}`;
  return (await ask(path, options)).status;
}

test("hosts that serve and the installation's own may have a certificate, others may not", async () => {
  await add("go.certified.example");
  await add("old.certified.example", { archived: true });
  await add("claimed.certified.example", { verified: false });
  for (const host of [
    "go.certified.example",
    "GO.Certified.Example",
    "go.certified.example.",
    "old.certified.example",
    "app.fuxi.example",
    "fx.example",
  ]) {
    expect(await statusOf(host), host).toBe(200);
    expect(await statusOf(host, { method: "HEAD" }), host).toBe(200);
  }
  for (const host of [
    "claimed.certified.example",
    "certified.example",
    "sub.go.certified.example",
    "*.certified.example",
    "go.certified.example:443",
    "203.0.113.7",
    "[::1]",
    "localhost",
    "",
    ".",
    "\0",
    "bücher.example",
    `${"a.".repeat(200)}example`,
    "go.certified.example/../x",
  ]) {
    expect(await statusOf(host), JSON.stringify(host)).toBe(404);
  }
  const twice = `/.well-known/fuxi-certificate?domain=fx.example&domain=none.example&token=${encodeURIComponent(token)}`;
  expect((await ask(twice)).status).toBe(404);
});

test("without the token a request is answered as any missing link, wherever it comes from", async () => {
  await add("hidden.example");
  const missing = await ask("/none", { headers: { host: "hidden.example" } });
  for (const headers of [
    {},
    { "x-forwarded-for": "203.0.113.9" },
    { forwarded: "for=127.0.0.1" },
  ]) {
    for (const wrong of ["", "&token=", `&token=${encodeURIComponent(`${token}x`)}`]) {
      const path = `/.well-known/fuxi-certificate?domain=hidden.example${wrong}`;
      const answer = await ask(path, { headers: { host: "hidden.example", ...headers } });
      expect([answer.status, answer.body]).toEqual([404, missing.body]);
    }
  }
});

test("a host that many requests name at once is looked up once for all of them", async () => {
  await add("sudden.example");
  const { loads } = hosts.counters;
  const requests = Array.from({ length: 2 * lookupsMax }, () => statusOf("sudden.example"));
  expect(new Set(await Promise.all(requests))).toEqual(new Set([200]));
  expect(hosts.counters.loads - loads).toBeLessThan(5);
});

test("a known host costs no query, however often it is requested", async () => {
  await add("known.example");
  expect(await statusOf("known.example")).toBe(200);
  const { loads } = hosts.counters;
  const requests = await Promise.all(Array.from({ length: 300 }, () => statusOf("known.example")));
  expect(new Set(requests)).toEqual(new Set([200]));
  // A reconnect of the channel in between costs one more.
  expect(hosts.counters.loads - loads).toBeLessThan(5);
});

test(`of invented names ${lookupsMax} are looked up at a time; the next has to retry, a known one does not`, async () => {
  await add("calm.example");
  expect(await statusOf("calm.example")).toBe(200);
  let requests: Promise<number | undefined>[] = [];
  await transaction(async (tx) => {
    await query(sql`LOCK TABLE domain IN ACCESS EXCLUSIVE MODE`, tx);
    requests = Array.from({ length: lookupsMax + 1 }, (_, at) => statusOf(`flood${at}.example`));
    // All others wait for Postgres.
    expect(await Promise.race(requests)).toBe(503);
    expect(await statusOf("calm.example")).toBe(200);
  });
  const answers = await Promise.all(requests);
  expect(answers.filter((status) => status === 503)).toHaveLength(1);
  expect(answers.filter((status) => status === 404)).toHaveLength(lookupsMax);
});
