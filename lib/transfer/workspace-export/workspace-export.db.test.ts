import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { getSocialImage, storeSocialImage } from "#lib/links/social-images";
import { createTag } from "#lib/links/tags";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { addOptOuts } from "#lib/outreach/opt-outs";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import {
  addNotification,
  listNotifications,
  markNotificationsRead,
  notificationsMax,
} from "#lib/tenancy/notifications";
import { readArchive } from "../../../test/archive.ts";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  listWorkspaceExports,
  openWorkspaceExport,
  runWorkspaceExport,
  startWorkspaceExport,
  sweepWorkspaceExports,
} from "./index.ts";

openTestStores();

const dataDir = mkdtempSync(join(tmpdir(), "fuxi-takeout-"));
const files = join(dataDir, "takeouts");
let owner: WorkspaceScope;
let admin: WorkspaceScope;
let member: WorkspaceScope;
let stranger: WorkspaceScope;

beforeAll(async () => {
  Object.assign(config(), { FUXI_DATA_DIR: dataDir });
  await openLinks();
  owner = await makeTestScope("owner");
  admin = await joinTestScope(owner, "admin", "admin");
  member = await joinTestScope(owner, "member", "member");
  stranger = await makeTestScope("stranger");
  await createTag(owner, { name: "=autumn", color: "red" });
  await make(
    owner,
    Array.from({ length: 230 }, (_, at) => ({
      url: `https://example.com/${at}`,
      tagNames: "=autumn",
    })),
  );
  await make(stranger, [{ url: "https://stranger.example/" }]);
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function started(scope = owner): Promise<string> {
  const workspaceExport = await startWorkspaceExport(scope);
  if (!workspaceExport) throw new Error("One is being made already");
  return workspaceExport.id;
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

/** The files of an archive, by their names. */
async function unzip(path: string): Promise<Map<string, string>> {
  const found = await readArchive(readFileSync(path));
  return new Map(found.map(({ name, bytes }) => [name, bytes.toString()]));
}

test("an archive has every link of its workspace once, none of others, and no formula", async () => {
  const id = await started();
  await runWorkspaceExport(id);
  const found = await unzip(join(files, `${id}.zip`));
  const lines = String(found.get("links.jsonl")).trimEnd().split("\n");
  expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(230);
  expect(lines).toHaveLength(230);
  expect([...found.values()].join("")).not.toContain("stranger.example");
  const csv = String(found.get("links.csv")).trimEnd().split("\r\n");
  expect(csv).toHaveLength(231);
  expect(csv[1]).toMatch(/,'=autumn$/);
  const named = [...String(found.get("README.txt")).matchAll(/^([a-z-]+\.(?:jsonl|json|csv)) /gm)];
  expect([...found.keys()].sort()).toEqual(["README.txt", ...named.map(([, n]) => n)].sort());
  expect(await listWorkspaceExports(admin)).toMatchObject([{ id, state: "done", done: 232 + 2 }]);
  const [entry] = await listAudit(owner, { action: "workspace.export", pageSize: 1 });
  expect(entry?.actor.id).toBe(owner.userId);
});

test("an archive has the uploaded images of its workspace, as they are served", async () => {
  const scope = await makeTestScope("pictured");
  const paint = { create: { width: 40, height: 20, channels: 3, background: "teal" } } as const;
  const { id, url } = await storeSocialImage(scope, await sharp(paint).png().toBuffer());
  await storeSocialImage(stranger, await sharp(paint).png().toBuffer());
  const exportId = await started(scope);
  await runWorkspaceExport(exportId);
  const found = await readArchive(readFileSync(join(files, `${exportId}.zip`)));
  const named = found.filter(({ name }) => name.startsWith("images"));
  expect(named.map(({ name }) => name)).toEqual(["images.jsonl", `images/${id}.jpg`]);
  const [list, jpeg] = named;
  expect(JSON.parse(String(list?.bytes))).toMatchObject({ id, url, linkCount: 0 });
  expect(jpeg?.bytes.equals(await getSocialImage(id, "203.0.113.9"))).toBe(true);
});

test("only owners and admins request and open an archive, and only of their own workspace", async () => {
  const [{ id } = { id: "" }] = await listWorkspaceExports(owner);
  expect((await openWorkspaceExport(admin, id)).bytes).toBeGreaterThan(1_000);
  expect(await codeOf(openWorkspaceExport(stranger, id))).toBe("not_found");
  expect(await codeOf(openWorkspaceExport(stranger, "../secrets"))).toBe("not_found");
  expect(await codeOf(startWorkspaceExport(member))).toBe("forbidden");
  expect(await codeOf(openWorkspaceExport(member, id))).toBe("forbidden");
});

test("of ten requests at once, one is accepted until it is done; its requester is notified once", async () => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => startWorkspaceExport(admin)));
  const heard = outcomes.flatMap((one) => (one ? [one.id] : []));
  expect(heard).toHaveLength(1);
  const [id = ""] = heard;
  await Promise.all([runWorkspaceExport(id), runWorkspaceExport(id), runWorkspaceExport(id)]);
  await runWorkspaceExport(id);
  const notifications = await listNotifications(admin);
  expect(notifications).toMatchObject([{ kind: "takeout.done", subject: id, read: false }]);
  await markNotificationsRead(admin);
  expect(await listNotifications(admin)).toMatchObject([{ read: true }]);
  expect((await listNotifications(owner)).every(({ subject }) => subject !== id)).toBe(true);
});

test("of a worker that was thought dead and its successor, only the latter finishes the work", async () => {
  const id = await started();
  const attempts = async () => {
    const [row] = await query<{ attempts: number }>(sql`
      SELECT attempts FROM takeout WHERE id = ${id}`);
    return row?.attempts;
  };
  const both = await transaction(async (tx) => {
    // Neither gets beyond the tags before the other has started.
    await query(sql`LOCK TABLE tag IN ACCESS EXCLUSIVE MODE`, tx);
    const first = runWorkspaceExport(id);
    await expect.poll(attempts).toBe(1);
    await query(sql`UPDATE takeout SET seen_at = now() - interval '61 seconds' WHERE id = ${id}`);
    const second = runWorkspaceExport(id);
    await expect.poll(attempts).toBe(2);
    return [first, second];
  });
  await Promise.all(both);
  const notifications = (await listNotifications(owner)).filter(({ subject }) => subject === id);
  expect(notifications).toMatchObject([{ kind: "takeout.done" }]);
  expect((await unzip(join(files, `${id}.zip`))).has("clicks.csv")).toBe(true);
});

test("a worker that dies is followed by another", async () => {
  const id = await started();
  writeFileSync(join(files, `${id}.zip.1.1.part`), "half");
  await query(sql`
    UPDATE takeout
    SET state = 'running', attempts = 1, seen_at = now() - interval '10 seconds'
    WHERE id = ${id}`);
  await runWorkspaceExport(id);
  expect(await listWorkspaceExports(owner)).toMatchObject([{ id, state: "running" }, {}, {}, {}]);
  await query(sql`UPDATE takeout SET seen_at = now() - interval '61 seconds' WHERE id = ${id}`);
  await runWorkspaceExport(id);
  expect(await listWorkspaceExports(owner)).toMatchObject([{ id, state: "done" }, {}, {}, {}]);
  expect((await unzip(join(files, `${id}.zip`))).has("clicks.csv")).toBe(true);
});

test("an archive fails when its requester loses the permission, or its workers die repeatedly", async () => {
  const id = await started();
  await query(sql`
    UPDATE membership SET role = 'viewer' WHERE workspace_pk = ${owner.workspacePk}
      AND user_pk = ${owner.userPk}`);
  await runWorkspaceExport(id);
  await query(sql`
    UPDATE membership SET role = 'owner' WHERE workspace_pk = ${owner.workspacePk}
      AND user_pk = ${owner.userPk}`);
  const again = await started();
  await query(sql`UPDATE takeout SET attempts = 5 WHERE id = ${again}`);
  await runWorkspaceExport(again);
  const [last, before] = await listWorkspaceExports(owner);
  expect([last?.state, before?.state]).toEqual(["failed", "failed"]);
  expect((await listNotifications(owner))[0]).toMatchObject({
    kind: "takeout.failed",
    subject: again,
  });
});

test("after its days an archive is deleted, and so are unknown files", async () => {
  const [{ id } = { id: "" }] = (await listWorkspaceExports(owner)).filter(
    ({ state }) => state === "done",
  );
  const path = join(files, `${id}.zip`);
  await query(sql`UPDATE takeout SET finished_at = now() - interval '6 days 23 hours'`);
  await sweepWorkspaceExports();
  expect(await codeOf(openWorkspaceExport(owner, id))).toBe("ok");
  await query(sql`UPDATE takeout SET finished_at = now() - interval '7 days 1 minute'`);
  expect(await codeOf(openWorkspaceExport(owner, id))).toBe("not_found");
  const old = new Date(Date.now() - 3_700_000);
  utimesSync(path, old, old);
  await sweepWorkspaceExports();
  expect(readdirSync(files)).not.toContain(`${id}.zip`);
});

test("the latest notifications of a person are kept, and older ones are deleted", async () => {
  const { workspacePk, userPk } = stranger;
  for (let at = 0; at < notificationsMax + 1; at++) {
    await transaction((tx) =>
      addNotification(tx, {
        workspacePk,
        userPk: Number(userPk),
        kind: "takeout.done",
        subject: `out_${at}`,
      }),
    );
  }
  const kept = await listNotifications(stranger);
  expect(kept).toHaveLength(notificationsMax);
  expect(kept.at(-1)?.subject).toBe("out_1");
});

test("an archive has campaigns, recipients and opt-outs, but no phone, column or text of a person", async () => {
  const scope = await makeTestScope("sender");
  const { id: campaignId } = await createCampaign(scope, campaignBody());
  const [row] = recipientRows(1);
  const [message] = await addRecipients(scope, campaignId, [row]);
  await addOptOuts(scope, { phones: ["+8613887654321"] });
  const id = await started(scope);
  await runWorkspaceExport(id);
  const found = await unzip(join(files, `${id}.zip`));
  const first = (name: string) => JSON.parse(String(found.get(name)).split("\n")[0] ?? "");
  expect(first("campaigns.jsonl")).toMatchObject({ id: campaignId, recipients: 1 });
  expect(first("recipients.jsonl")).toMatchObject({
    campaignId,
    messageId: "m-0",
    phone: "+86 **** 00",
    linkId: message?.status === "ready" ? message.linkId : "",
  });
  expect(first("opt-outs.jsonl")).toMatchObject({ phone: "+86 **** 21" });
  const all = [...found.values()].join("");
  for (const text of ["13810000000", "13887654321", "Person 0"]) expect(all).not.toContain(text);
});
