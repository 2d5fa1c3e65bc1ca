import { expect, test } from "vitest";
import { editLink } from "#lib/links/editing";
import { publishChanges } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { makeShared, openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("host-files");

const assetLinks = '[{"relation":["delegate_permission/common.handle_all_urls"]}]';
const association = '{"applinks":{"details":[{"appIDs":["A.b"],"paths":["*"]}]}}';

async function addDomain(slug: string): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at, not_found_url, revision)
    VALUES (
      ${slug}, ${scope().workspacePk}, ${slug}, now(), 'https://example.com/lost', nextval('revision')
    )`);
}

test("only a link hidden from search engines has the header, with every redirect, also from memory", async () => {
  const [hidden, shown] = [await make({}), await make({ doIndex: true })];
  const [ruled, ruledShown] = [
    await make({ forwardQuery: true }),
    await make({ forwardQuery: true, doIndex: true }),
  ];
  for (let visits = 0; visits < 3; visits++) {
    for (const { key } of [hidden, ruled]) {
      const { status, headers } = await ask(`/${key}`);
      expect([status, headers["x-robots-tag"]]).toEqual([302, "noindex"]);
    }
    for (const { key } of [shown, ruledShown]) {
      const { status, headers } = await ask(`/${key}`);
      expect([status, headers["x-robots-tag"]]).toEqual([302, undefined]);
    }
  }
  await editLink(scope(), shown.id, { doIndex: false });
  expect((await ask(`/${shown.key}`)).headers["x-robots-tag"]).toBe("noindex");
});

test("a line in Redis that an older version wrote is looked up again", async () => {
  const { key, entry, line } = await makeShared(() => make({ doIndex: true }));
  expect(line.endsWith("\x1f1")).toBe(true);
  await redis().set(entry, `${line.slice(0, -2)}`);
  const answer = await ask(`/${key}`);
  expect([answer.status, answer.headers["x-robots-tag"]]).toEqual([302, undefined]);
});

test("robots.txt and favicon.ico are small, cached for a day, for every host, and no visits", async () => {
  await addDomain("files.example");
  await redis().del(redisKeys.clickStream(0));
  for (const host of ["files.example", "nobody.example"]) {
    const robots = await ask("/robots.txt?x=1", { headers: { host } });
    expect(robots.status).toBe(200);
    expect(robots.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(robots.headers["cache-control"]).toBe("public, max-age=86400");
    expect(robots.body).toBe("User-agent: *\nAllow: /\n");
    const icon = await ask("/favicon.ico", { headers: { host } });
    expect([icon.status, icon.body]).toEqual([204, ""]);
    expect((await ask("/robots.txt", { method: "HEAD", headers: { host } })).body).toBe("");
    expect((await ask("/robots.txt", { method: "POST", headers: { host } })).status).toBe(405);
  }
  expect(await redis().xlen(redisKeys.clickStream(0))).toBe(0);
});

test("the files by which apps open a domain's links are those of this domain, and a change applies at once", async () => {
  await addDomain("apps.example");
  await addDomain("other.example");
  const files = async (host: string) => {
    const paths = [
      "/.well-known/assetlinks.json",
      "/.well-known/apple-app-site-association",
      "/apple-app-site-association",
    ];
    return await Promise.all(paths.map((path) => ask(path, { headers: { host } })));
  };
  for (const { status, headers } of await files("apps.example")) {
    // Not the domain's URL for missing links: a program would treat its page as the file.
    expect([status, headers.location]).toEqual([404, undefined]);
  }
  await query(sql`
    UPDATE domain
    SET
      asset_links = ${assetLinks},
      apple_app_site_association = ${association},
      revision = nextval('revision')
    WHERE slug = 'apps.example'`);
  await publishChanges([{ entry: "d:apps.example", revision: 1e9 }]);
  const found = await files("apps.example");
  expect(found.map(({ status, body }) => [status, body])).toEqual([
    [200, assetLinks],
    [200, association],
    [200, association],
  ]);
  for (const { headers } of found) expect(headers["content-type"]).toBe("application/json");
  for (const host of ["other.example", "nobody.example"]) {
    for (const { status } of await files(host)) expect(status).toBe(404);
  }
});
