import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { codeOfPk } from "#lib/platform/codes";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { addRecycledCodes, drawRecycledCodes, sweepRecycledCodes } from "./index.ts";
import { takeCodes } from "./pool.ts";

openTestStores({ FUXI_REUSE_CODES: "on" });

const long = Boolean(process.env["TEST_LONG"]);
const url = "https://example.com/again";
let scope: WorkspaceScope;
let domainPk: number;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  scope = await makeTestScope("recycled");
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM domain WHERE slug = 'localhost'`);
  domainPk = row?.pk ?? 0;
});

/** Codes whose links have been deleted. */
async function recycle(count: number, domain = domainPk): Promise<number[]> {
  const pks = (await takeCodes(count)).map(({ pk }) => pk);
  const links = pks.map((pk) => ({ pk, domain_pk: domain }));
  await transaction((tx) => addRecycledCodes(tx, links, new Date()));
  return pks;
}

/** Past the second in which a domain is known to be empty. */
let clock = Date.now();
function draw(count: number, domain = domainPk) {
  clock += 2_000;
  return drawRecycledCodes(domain, count, clock);
}

test("a draw returns the codes of its own domain, each once", async () => {
  const pks = await recycle(5);
  expect(await draw(3, domainPk + 1)).toEqual([]);
  const drawn = [...(await draw(3)), ...(await draw(3))];
  expect(drawn.map(({ pk }) => pk).sort()).toEqual([...pks].sort());
  for (const { pk, code } of drawn) expect(code).toBe(codeOfPk(pk));
  expect(await draw(1)).toEqual([]);
});

test("a code is not drawn while its stats are still to be erased, or its pk is taken", async () => {
  const [waiting, taken] = await recycle(2);
  await query(sql`INSERT INTO analytics.erasure (workspace_pk, link_pk) VALUES (1, ${waiting})`);
  await query(sql`INSERT INTO link (pk) VALUES (${taken})`);
  expect(await draw(5)).toEqual([]);
  await query(sql`DELETE FROM analytics.erasure WHERE link_pk = ${waiting}`);
  expect((await draw(5)).map(({ pk }) => pk)).toEqual([waiting]);
});

test("a drawn code that was not used can be drawn again after a day, a used one never", async () => {
  const [used] = await recycle(1);
  const [created] = await createLinks(scope, [{ url }]);
  expect(created).toMatchObject({ ok: true, link: { key: codeOfPk(used ?? 0) } });
  await query(sql`DELETE FROM link WHERE pk = ${used}`);
  await query(sql`DELETE FROM analytics.erasure`);
  const [unused] = await recycle(1);
  expect(await draw(2)).toHaveLength(1);
  const soon = new Date(Date.now() + 23 * 3_600_000);
  await sweepRecycledCodes(soon);
  await sweepRecycledCodes(soon);
  expect(await draw(2)).toEqual([]);
  const later = new Date(Date.now() + 25 * 3_600_000);
  await sweepRecycledCodes(later);
  await sweepRecycledCodes(later);
  const drawn = (await draw(100)).map(({ pk }) => pk);
  expect(drawn).toContain(unused);
  expect(drawn).not.toContain(used);
});

const racing = long ? 24 : 8;

test(`${racing} connections that race over the same codes draw each once, and create no code twice`, async () => {
  const count = long ? 20_000 : 600;
  const pks = new Set(await recycle(count));
  const racers = Array.from({ length: racing }, async () => {
    const drawn: number[] = [];
    for (let batch = 0; batch < count / 20; batch++) {
      drawn.push(...(await draw(3)).map(({ pk }) => pk));
    }
    return drawn;
  });
  const creates = Array.from({ length: racing }, () =>
    createLinks(
      scope,
      Array.from({ length: 20 }, () => ({ url })),
    ),
  );
  const drawn = (await Promise.all(racers)).flat();
  const links = (await Promise.all(creates)).flat();
  expect(links.every(({ ok }) => ok)).toBe(true);
  expect(new Set(drawn).size).toBe(drawn.length);
  const rows = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE workspace_pk = ${scope.workspacePk}`,
  );
  expect(rows).toHaveLength(links.length);
  const again = [...drawn, ...rows.map(({ pk }) => pk)].filter((pk) => pks.has(pk));
  expect(new Set(again).size).toBe(again.length);
  expect(again.length).toBeGreaterThan(count / 2);
  // A drawn code that an alias takes first is refused by the primary key, and replaced.
  const [late] = await recycle(1);
  if (late === undefined) throw new Error("no code");
  const [alias, code] = await Promise.all([
    createLinks(scope, [{ url, key: codeOfPk(late) }]),
    createLinks(scope, [{ url }]),
  ]);
  const keys = [...alias, ...code].flatMap((one) => (one.ok ? [one.link.key] : []));
  expect(new Set(keys).size).toBe(keys.length);
}, 600_000);
