import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain, deleteDomain, editDomain, transferDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { lockServedDomains } from "#lib/links/hosts";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { resultsOf } from "../../../test/import-results.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changeImport, getImport, startImport, uploadImport } from "./index.ts";
import { importJobs, runImport } from "./jobs.ts";
import type { ChangeImport } from "./schema.ts";

openTestStores();

/** Every process has applied a change by then. */
const knownMs = 1_200;

let ada: WorkspaceScope;
let others: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  ada = await makeTestScope("ada");
  await createWorkspace(String(ada.userId), { name: "Others", slug: "others" });
  const opened = await openWorkspace(String(ada.userId), "others");
  if (!opened) throw new Error("The workspace cannot be opened");
  others = opened;
});

async function begin(text: string, change: ChangeImport = {}): Promise<string> {
  const { id } = await uploadImport(ada, new Blob([text]).stream(), { name: "links.csv" });
  await changeImport(ada, id, change);
  await startImport(ada, id);
  return id;
}

async function addDomain(slug: string): Promise<number> {
  const { id } = await createDomain(ada, createDomainBody.parse({ slug }));
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM domain WHERE id = ${id}`);
  return row?.pk ?? 0;
}

/** Pauses a running import before its next batch is written, which is prepared by then, while something happens. */
async function holding(id: string, happens: () => Promise<unknown>): Promise<void> {
  const state = async () => (await getImport(ada, id)).state;
  await expect.poll(state, { interval: 5 }).not.toBe("waiting");
  await transaction(async (tx) => {
    await query(sql`SELECT FROM import WHERE id = ${id} FOR UPDATE`, tx);
    await expect.poll(async () => (await isHeld()) || (await state()) !== "running").toBe(true);
    await happens();
  });
}

async function isHeld(): Promise<boolean> {
  const waiting = await query(sql`
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND wait_event_type = 'Lock'
      AND query LIKE '%FROM import%FOR NO KEY UPDATE%'`);
  return waiting.length > 0;
}

async function linksOn(domainPk: number): Promise<number> {
  const [counted] = await query<{ links: number }>(sql`
    SELECT count(*)::int AS links FROM link WHERE domain_pk = ${domainPk} AND key <> '_root'`);
  return counted?.links ?? 0;
}

/** A password is hashed before its row can be written, which takes a quarter of a second. */
const head = "url,domain,password\nhttps://a.example/,";

test("deleting a domain waits for the links that are being written on it", async () => {
  const host = "awaited.localhost";
  const pk = await addDomain(host);
  const order: string[] = [];
  const deleted = await transaction(async (tx) => {
    expect(await lockServedDomains(tx, ada.workspacePk, [pk])).toEqual(new Set([pk]));
    expect(await lockServedDomains(tx, others.workspacePk, [pk])).toEqual(new Set());
    const deleting = deleteDomain(ada, host, "delete").then(() => order.push("deleted"));
    await untilWaiting();
    order.push("written");
    return { deleting };
  });
  await deleted.deleting;
  expect(order).toEqual(["written", "deleted"]);
});

interface Arranged {
  host: string;
  pk: number;
  id: string;
}

/**
 * Imports rows, and lets something happen to the domain they name just before they are written. On a busy machine they may
 * have been written by then: that import says nothing, and another one is tried.
 */
async function importAround(
  name: string,
  textOf: (host: string) => string,
  change: (host: string) => Promise<unknown>,
): Promise<Arranged> {
  for (let tries = 1; ; tries++) {
    const host = `${name.replaceAll(" ", "-")}-${tries}.localhost`;
    const pk = await addDomain(host);
    const id = await begin(textOf(host));
    const running = runImport(id);
    let isInTime = false;
    await holding(id, async () => {
      isInTime = (await getImport(ada, id)).done === 0;
      if (isInTime) await change(host);
    });
    await running;
    if (isInTime) return { host, pk, id };
  }
}

type Change = [name: string, change: (host: string) => Promise<unknown>];

const leaving: Change[] = [
  ["is deleted", (host) => deleteDomain(ada, host, "delete")],
  ["is given to another workspace", (host) => transferDomain(ada, host, others.workspaceId)],
  [
    "gets a name that is not verified",
    (host) => editDomain(ada, host, { slug: `x-${host}.example` }),
  ],
];

test.each(leaving)(
  "no link is created on a domain that %s while rows that name it are ready to be written",
  async (name, change) => {
    const { host, pk, id } = await importAround(
      name,
      (domain) => `${head}${domain},secret\nhttps://b.example/,localhost,\n`,
      change,
    );
    expect(await linksOn(pk)).toBe(0);
    expect(await getImport(ada, id)).toMatchObject({ state: "done", made: 1, refused: 1 });
    expect(await resultsOf(ada, id, "failed")).toContain(
      `,2,refused,"domain: This workspace has no verified domain ""${host}"". Add or verify it first."`,
    );
  },
);

const staying: Change[] = [
  ["is archived", (host) => editDomain(ada, host, { archived: true })],
  ["gets another name that serves", (host) => editDomain(ada, host, { slug: `x-${host}` })],
];

test.each(staying)("links are created on a domain that %s meanwhile", async (name, change) => {
  const { pk, id } = await importAround(name, (host) => `${head}${host},secret\n`, change);
  expect(await getImport(ada, id)).toMatchObject({ state: "done", made: 1, refused: 0 });
  expect(await linksOn(pk)).toBe(1);
});

test("the process of an import notices within a second that its domain is deleted, and ends with the reason", async () => {
  const host = "known.localhost";
  const pk = await addDomain(host);
  const rows = 20_000;
  const lines = Array.from({ length: rows }, (_, row) => `https://example.com/${row}`);
  const id = await begin(`${lines.join("\n")}\n`, { options: { domain: host } });
  const running = importJobs[0].handle({ id });
  await expect.poll(async () => (await getImport(ada, id)).done).not.toBe(0);
  let created = 0;
  await holding(id, async () => {
    await deleteDomain(ada, host, "delete");
    created = await linksOn(pk);
    await setTimeout(knownMs);
  });
  await running;
  const ended = await getImport(ada, id);
  expect([ended.state, ended.error]).toEqual(["failed", expect.stringContaining(`"${host}"`)]);
  expect(ended.problem).toEqual({ code: "domain_unknown", params: { domain: host } });
  expect(ended.done).toBeLessThan(rows);
  expect([ended.made, await linksOn(pk)]).toEqual([created, created]);
});
