/** Lists of destinations, with sources on real servers of this machine. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { makeTestOperator } from "../../../test/operators.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  changeDestinationList,
  findRefused,
  getDestinationLists,
  getInstanceLists,
  loadDestinationRules,
  openInstanceLists,
  pollDestinationList,
  pollDueSources,
  warnListsJob,
} from "./index.ts";
import { changeListBody, type ListKind, ownEntriesMax, sourceBytesMax } from "./schema.ts";

const instanceFile = join(tmpdir(), `fuxi-block-${process.pid}.json`);
openTestStores({
  FUXI_FETCH: "loopback",
  FUXI_DESTINATIONS_BLOCK: "Blocked.example",
  FUXI_DESTINATIONS_BLOCK_SOURCE: instanceFile,
  FUXI_DESTINATIONS_POLL_SECONDS: "60",
});

/** What the server of the sources answers. */
const site = { status: 200, body: "", etag: "", requests: 0, unchanged: 0 };
let server: Server;
let source: string;
let ada: WorkspaceScope;
let made = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  server = createServer((req, res) => {
    site.requests += 1;
    if (site.status === 0) return void req.socket.destroy();
    if (site.etag !== "" && req.headers["if-none-match"] === site.etag) {
      site.unchanged += 1;
      return void res.writeHead(304).end();
    }
    res.writeHead(site.status, site.etag === "" ? {} : { ETag: site.etag }).end(site.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(instanceFile, { force: true });
});
beforeEach(async () => {
  made += 1;
  ada = await makeTestScope(`ada-${made}`);
  Object.assign(site, {
    status: 200,
    body: '["good.example"]',
    etag: "",
    requests: 0,
    unchanged: 0,
  });
});

function change(kind: ListKind, body: object, scope = ada) {
  return changeDestinationList(scope, kind, changeListBody.parse(body));
}

/** Whether a destination is allowed, or the list that refuses it. */
async function verdict(host: string, scope = ada): Promise<string> {
  const rules = await loadDestinationRules(scope.workspacePk);
  const refused = findRefused(rules, [`https://${host}/`], (url) => new URL(url).hostname);
  return refused ? `${refused.owner} ${refused.list}` : "allowed";
}

async function makeDue(): Promise<void> {
  await query(sql`UPDATE destination_list SET polled_at = now() - interval '1 hour'`);
}

async function stateOf(kind: ListKind, scope = ada) {
  return (await getDestinationLists(scope))[kind];
}

test("without lists everything is allowed except what the settings of the instance block, with its subdomains", async () => {
  expect(await verdict("any.example")).toBe("allowed");
  expect(await verdict("blocked.example")).toBe("instance block");
  expect(await verdict("www.blocked.example")).toBe("instance block");
  const { allow, block, instance } = await getDestinationLists(ada);
  expect([allow.active, block.active]).toEqual([false, false]);
  expect(instance).toEqual({ allow: false, block: true });
});

test("an entry that is stored in a block list covers subdomains, one in an allow list its host alone", async () => {
  await change("block", { add: ["evil.example"] });
  expect(await verdict("evil.example")).toBe("workspace block");
  expect(await verdict("www.evil.example")).toBe("workspace block");
  await change("block", { remove: ["evil.example"] });
  await change("allow", { add: ["evil.example"] });
  expect(await verdict("evil.example")).toBe("allowed");
  expect(await verdict("www.evil.example")).toBe("workspace allow");
});

test("an entry of one workspace applies to it at once, and to no other", async () => {
  const eve = await makeTestScope(`eve-${made}`);
  expect(await verdict("good.example")).toBe("allowed");
  const list = await change("allow", { add: ["Good.example", "bücher.example"] });
  expect(list).toMatchObject({ active: true, entries: ["good.example", "xn--bcher-kva.example"] });
  expect(await verdict("good.example")).toBe("allowed");
  expect(await verdict("bad.example")).toBe("workspace allow");
  expect(await verdict("bad.example", eve)).toBe("allowed");
  await change("allow", { remove: ["xn--bcher-kva.example", "good.example"] });
  expect(await verdict("bad.example")).toBe("allowed");
});

test("a malformed entry changes nothing and is explained", async () => {
  const failure = { code: "unprocessable_entity", problem: { code: "entry_scheme" } };
  await expect(change("block", { add: ["a.example", "https://b.example"] })).rejects.toMatchObject(
    failure,
  );
  expect(await stateOf("block")).toMatchObject({ active: false, entries: [] });
});

test("a list has at most 1,000 entries of its own", async () => {
  const add = Array.from({ length: ownEntriesMax }, (_, at) => `h${at}.example`);
  expect((await change("block", { add })).entries).toHaveLength(ownEntriesMax);
  await expect(change("block", { add: ["more.example"] })).rejects.toMatchObject({
    problem: { code: "entries_full" },
  });
  const swap = await change("block", { add: ["more.example"], remove: ["h0.example"] });
  expect(swap.entries).toHaveLength(ownEntriesMax);
});

test("entries of people and of the source are merged", async () => {
  site.body = JSON.stringify({ "1001": "merchant.example", "1002": "*.shop.example" });
  const list = await change("allow", { add: ["own.example"], source });
  expect(list).toMatchObject({ source, sourceEntries: 2, problem: null });
  expect(list.succeededAt).not.toBeNull();
  for (const host of ["own.example", "merchant.example", "a.shop.example"]) {
    expect(await verdict(host), host).toBe("allowed");
  }
  expect(await verdict("other.example")).toBe("workspace allow");
  await change("allow", { source: null });
  expect(await verdict("merchant.example")).toBe("workspace allow");
});

test("a malformed allow list counts as empty, except for entries of people, until it is repaired", async () => {
  await change("allow", { add: ["own.example"], source });
  site.body = '["good.example", "https://wrong.example"]';
  const broken = await pollDestinationList(ada, "allow");
  expect(broken).toMatchObject({ sourceEntries: 0, active: true });
  expect(broken.problem).toMatchObject({
    code: "entry_scheme",
    params: { entry: "https://wrong.example" },
  });
  expect(await verdict("own.example")).toBe("allowed");
  expect(await verdict("good.example")).toBe("workspace allow");
  site.body = '["good.example"]';
  expect(await pollDestinationList(ada, "allow")).toMatchObject({
    sourceEntries: 1,
    problem: null,
  });
  expect(await verdict("good.example")).toBe("allowed");
});

test("an allow list whose only source becomes malformed refuses everything", async () => {
  await change("allow", { source });
  site.body = "<html>";
  await pollDestinationList(ada, "allow");
  expect(await verdict("good.example")).toBe("workspace allow");
});

test("a malformed block list keeps its last good entries", async () => {
  await change("block", { source });
  site.body = "<html>";
  const broken = await pollDestinationList(ada, "block");
  expect(broken).toMatchObject({ sourceEntries: 1, problem: { code: "source_json" } });
  expect(await verdict("good.example")).toBe("workspace block");
});

test.each(["allow", "block"] as const)(
  "an unreachable %s list keeps its last good entries",
  async (kind) => {
    await change(kind, { source });
    const before = await stateOf(kind);
    const answers = [await verdict("good.example"), await verdict("bad.example")];
    for (const [status, code] of [
      [0, "source_unreachable"],
      [503, "source_status"],
    ] as const) {
      site.status = status;
      const broken = await pollDestinationList(ada, kind);
      expect(broken).toMatchObject({ sourceEntries: 1, problem: { code } });
      expect(broken.succeededAt).toBe(before.succeededAt);
      expect([await verdict("good.example"), await verdict("bad.example")]).toEqual(answers);
    }
  },
);

test("a source is read with its ETag, and an unchanged one is a success", async () => {
  site.etag = '"v1"';
  await change("block", { source });
  const [before] = await revisions();
  expect(await pollDestinationList(ada, "block")).toMatchObject({
    sourceEntries: 1,
    problem: null,
  });
  expect(site.unchanged).toBe(1);
  expect(await revisions()).toEqual([before]);
  Object.assign(site, { etag: '"v2"', body: '["other.example"]' });
  await pollDestinationList(ada, "block");
  expect(await verdict("other.example")).toBe("workspace block");
  expect(await verdict("good.example")).toBe("allowed");
});

test("an allow list that was malformed is read again in full, also when its old version returns", async () => {
  site.etag = '"v1"';
  await change("allow", { source });
  Object.assign(site, { etag: '"v2"', body: "[1]" });
  await pollDestinationList(ada, "allow");
  Object.assign(site, { etag: '"v1"', body: '["good.example"]' });
  expect(await pollDestinationList(ada, "allow")).toMatchObject({
    sourceEntries: 1,
    problem: null,
  });
  expect(site.unchanged).toBe(0);
});

async function revisions(): Promise<number[]> {
  const rows = await query<{ revision: number }>(
    sql`SELECT revision FROM destination_list WHERE workspace_pk = ${ada.workspacePk}`,
  );
  return rows.map(({ revision }) => revision);
}

test("a source that can’t be read is not saved", async () => {
  for (const [answer, code] of [
    [{ status: 404 }, "source_status"],
    [{ body: "<html>" }, "source_json"],
    [{ body: '{"hosts":["a.example"]}' }, "source_form"],
  ] as const) {
    Object.assign(site, { status: 200, body: "[]" }, answer);
    await expect(change("allow", { source })).rejects.toMatchObject({ problem: { code } });
  }
  for (const url of ["ftp://example.com/a", "/etc/passwd", "file:///etc/passwd", "example.com"]) {
    await expect(change("allow", { source: url }), url).rejects.toMatchObject({
      problem: { code: "source_insecure" },
    });
  }
  expect(await stateOf("allow")).toMatchObject({ source: null, active: false });
});

test("a source has at most 8 MB", async () => {
  site.body = `["good.example"]${" ".repeat(sourceBytesMax - 16)}`;
  expect(await change("block", { source })).toMatchObject({ sourceEntries: 1 });
  site.body += " ";
  const large = await pollDestinationList(ada, "block");
  expect(large).toMatchObject({ sourceEntries: 1, problem: { code: "source_large" } });
});

test("a due source is polled once, however many workers run", async () => {
  await change("block", { source });
  await makeDue();
  site.requests = 0;
  site.body = '["new.example"]';
  await Promise.all([pollDueSources(), pollDueSources(), pollDueSources()]);
  await pollDueSources();
  expect(site.requests).toBe(await countSources());
  expect(await verdict("new.example")).toBe("workspace block");
});

async function countSources(): Promise<number> {
  const [row] = await query<{ n: number }>(
    sql`SELECT count(*) AS n FROM destination_list WHERE source IS NOT NULL`,
  );
  return row?.n ?? 0;
}

test("a source chosen while the former one is read keeps its own entries", async () => {
  await change("block", { source });
  await makeDue();
  const polling = pollDueSources();
  site.body = '["second.example"]';
  const second = `${source}?second`;
  await change("block", { source: second });
  await polling;
  expect(await stateOf("block")).toMatchObject({ source: second, sourceEntries: 1 });
  expect(await verdict("second.example")).toBe("workspace block");
});

test("the file of the instance is polled, and keeps its last good entries when it is damaged or missing", async () => {
  writeFileSync(instanceFile, '["file.example"]');
  await makeDue();
  await pollDueSources();
  expect(await verdict("file.example")).toBe("instance block");
  for (const damage of [() => writeFileSync(instanceFile, "{"), () => rmSync(instanceFile)]) {
    damage();
    await makeDue();
    await pollDueSources();
    expect(await verdict("file.example")).toBe("instance block");
  }
  const [row] = await query<{ problem: unknown }>(
    sql`SELECT problem FROM destination_list WHERE workspace_pk IS NULL`,
  );
  expect(row?.problem).toMatchObject({ code: "source_unreadable" });
});

test("administrators get one email when the file of the instance breaks, and none while it stays broken or is repaired", async () => {
  const { user } = await makeTestOperator(`warned-${made}`);
  const outbox = join(String(process.env["FUXI_DATA_DIR"]), "outbox");
  const emails = () =>
    (existsSync(outbox) ? readdirSync(outbox) : []).filter((file) =>
      readFileSync(join(outbox, file), "utf8").includes(`To: ${user.email}`),
    ).length;
  writeFileSync(instanceFile, '["file.example"]');
  await makeDue();
  await pollDueSources();
  await warnListsJob.handle({ kind: "block" });
  expect(emails()).toBe(0);
  const waiting = async () => await redis().llen("{queue}:destinations.warn:wait");
  const before = await waiting();
  rmSync(instanceFile);
  for (let times = 0; times < 2; times++) {
    await makeDue();
    await pollDueSources();
  }
  expect((await waiting()) - before).toBe(1);
  await warnListsJob.handle({ kind: "block" });
  expect(emails()).toBe(1);
  await warnListsJob.handle({ kind: "block" });
  expect(emails()).toBe(2);
});

test("administrators change the lists of the instance, which apply to all workspaces; the reason is recorded", async () => {
  const { operator } = await makeTestOperator(`root-${made}`);
  const instance = openInstanceLists(operator, "Asked by legal");
  await changeDestinationList(
    instance,
    "block",
    changeListBody.parse({ add: ["everywhere.example"] }),
  );
  const eve = await makeTestScope(`eve-${made}`);
  expect(await verdict("everywhere.example", eve)).toBe("instance block");
  const { block } = await getInstanceLists(operator);
  expect(block.entries).toEqual(["blocked.example", "everywhere.example"]);
  expect(block.source).toBe(instanceFile);
  const [entry] = await query(
    sql`SELECT workspace_pk, actor, details FROM audit WHERE action = 'operator.edit_list'`,
  );
  expect(entry).toMatchObject({
    workspace_pk: null,
    actor: operator.actor,
    details: { reason: "Asked by legal", name: "block", added: ["everywhere.example"] },
  });
  await expect(
    changeDestinationList(instance, "block", changeListBody.parse({ source })),
  ).rejects.toMatchObject({ code: "unprocessable_entity" });
});

test("an administrator who reads a source is in the administrator log with the list", async () => {
  const { operator } = await makeTestOperator(`reader-${made}`);
  const logged = () =>
    query(sql`
      SELECT workspace_pk, details->>'name' AS name
      FROM audit
      WHERE action = 'operator.read_list' AND actor = ${operator.actor}`);
  writeFileSync(instanceFile, '["read.example"]');
  await pollDestinationList(openInstanceLists(operator), "block");
  expect(await logged()).toEqual([{ workspace_pk: null, name: "block" }]);
  // A list without a source reads nothing.
  await pollDestinationList(openInstanceLists(operator), "allow");
  expect(await logged()).toHaveLength(1);
});

test("members neither read nor change lists; a change is audited with its entries", async () => {
  const member = await joinTestScope(ada, `member-${made}`, "member");
  await expect(getDestinationLists(member)).rejects.toMatchObject({ code: "forbidden" });
  await expect(change("allow", { add: ["a.example"] }, member)).rejects.toMatchObject({
    code: "forbidden",
  });
  await change("block", { add: ["b.example"], source });
  await change("block", { add: ["b.example"], source });
  const entries = await listAudit(ada, { action: "destination-list.edit", pageSize: 10 });
  expect(entries.map(({ details }) => details)).toEqual([
    { name: "block", added: ["b.example"], removed: [], source: { from: null, to: source } },
  ]);
});
