import { beforeAll, describe, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { deleteLink } from "#lib/links/editing";
import { createFolder } from "#lib/links/folders";
import { createTag } from "#lib/links/tags";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  createShare,
  getShareToken,
  listShares,
  openShare,
  revokeShare,
  sharesMax,
  unlockShare,
} from "./index.ts";
import { type NewShare, newShare } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let mel: WorkspaceScope;
let link: string;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  mel = await joinTestScope(ada, "mel", "member");
  link = await makeLink(ada);
});

async function makeLink(scope: WorkspaceScope, folderId?: string): Promise<string> {
  const [one] = await make(scope, [
    { url: "https://example.com/", ...(folderId ? { folderId } : {}) },
  ]);
  return String(one?.id);
}

function body(more: Partial<Record<keyof NewShare, unknown>> = {}): NewShare {
  return newShare.parse({ name: "For the board", kind: "workspace", parts: ["figures"], ...more });
}

const open = (token: string, grant?: string, address = "203.0.113.7") =>
  openShare({ token, grant, address });
const missing = { ok: false, code: "missing" };

describe("a share", () => {
  test("opens with its token alone, shows the chosen cards, and ends once it is revoked", async () => {
    const { id, token } = await createShare(
      ada,
      body({ kind: "link", subjectId: link, parts: ["places", "figures"], daysMax: 30 }),
    );
    expect(await open(token)).toEqual({
      ok: true,
      share: {
        name: "For the board",
        kind: "link",
        parts: ["figures", "places"],
        daysMax: 30,
        annotations: [],
        zone: "UTC",
      },
    });
    expect(await open(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).toEqual(missing);
    await revokeShare(ada, id);
    expect(await open(token)).toEqual(missing);
    const actions = (await listAudit(ada, { pageSize: 100 })).filter((one) => one.subject === id);
    expect(actions.map(({ action }) => action)).toEqual(["share.revoke", "share.create"]);
  });

  test("stores no plain token", async () => {
    const { token } = await createShare(ada, body({ password: "correct horse" }));
    const [row] = await query<{ text: string }>(sql`
      SELECT string_agg(share::text, ' ') || (SELECT string_agg(audit::text, ' ') FROM audit) AS text
      FROM share`);
    expect(row?.text).toContain("share.create");
    expect(row?.text).not.toContain(token);
    expect(row?.text).not.toContain("correct horse");
    // Bytes are written as hexadecimal digits.
    expect(row?.text).not.toContain(Buffer.from(token).toString("hex"));
    expect(row?.text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
  });

  test("shows its URL again to those who may revoke it, and to no others", async () => {
    const viewer = await joinTestScope(ada, "reader", "viewer");
    const mia = await joinTestScope(ada, "mia", "member");
    const { id, token } = await createShare(mia, body({ kind: "link", subjectId: link }));
    expect(await getShareToken(mia, id)).toBe(token);
    expect(await getShareToken(ada, id)).toBe(token);
    const own = await createShare(ada, body());
    for (const scope of [mia, eve]) {
      await expect(getShareToken(scope, own.id)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(getShareToken(viewer, own.id)).rejects.toMatchObject({ code: "forbidden" });
    await revokeShare(ada, own.id);
    await expect(getShareToken(ada, own.id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("without a stored token, or with that of another share, says how to replace it", async () => {
    const [one, two] = [await createShare(ada, body()), await createShare(ada, body())];
    await query(sql`UPDATE share SET sealed_token = NULL WHERE id = ${one.id}`);
    await expect(getShareToken(ada, one.id)).rejects.toMatchObject({ code: "conflict" });
    const listed = (await listShares(ada)).find(({ id }) => id === one.id);
    expect(listed?.hasAddress).toBe(false);
    await query(sql`
      UPDATE share SET sealed_token = (SELECT sealed_token FROM share WHERE id = ${two.id})
      WHERE id = ${one.id}`);
    await expect(getShareToken(ada, one.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await open(one.token)).toMatchObject({ ok: true });
  });

  test("ends with its time, with its link, and when its link moves to another workspace", async () => {
    const late = await createShare(
      ada,
      body({ endsAt: new Date(Date.now() + 60_000).toISOString() }),
    );
    expect(await open(late.token)).toMatchObject({ ok: true });
    await query(sql`UPDATE share SET ends_at = now() - interval '1 ms' WHERE id = ${late.id}`);
    expect(await open(late.token)).toEqual(missing);

    const deletedLink = await makeLink(ada);
    const shared = await createShare(ada, body({ kind: "link", subjectId: deletedLink }));
    await deleteLink(ada, deletedLink);
    expect(await open(shared.token)).toEqual(missing);

    const moved = await makeLink(ada);
    const other = await createShare(ada, body({ kind: "link", subjectId: moved }));
    await query(sql`UPDATE link SET workspace_pk = ${eve.workspacePk}
      WHERE pk = (SELECT subject_pk FROM share WHERE id = ${other.id})`);
    expect(await open(other.token)).toEqual(missing);
  });

  test("with a password shows nothing without it, and a grant opens no other share", async () => {
    const one = await createShare(ada, body({ password: "correct horse" }));
    const two = await createShare(ada, body({ password: "correct horse" }));
    const address = "198.51.100.1";
    expect(await open(one.token, undefined, address)).toEqual({
      ok: false,
      code: "password_needed",
    });
    expect(await unlockShare(one.token, "wrong horse", address)).toMatchObject({ code: "wrong" });
    const unlocked = await unlockShare(one.token, "correct horse", address);
    if (!unlocked.ok) throw new Error(unlocked.code);
    expect(await open(one.token, unlocked.grant, address)).toMatchObject({ ok: true });
    expect(await open(two.token, unlocked.grant, address)).toMatchObject({
      code: "password_needed",
    });
    const [ends, signature = ""] = unlocked.grant.split(".");
    const forged = `${ends}.${signature.slice(0, -2)}AA`;
    expect(await open(one.token, forged, address)).toMatchObject({ code: "password_needed" });
  });

  test("accepts as many passwords from an address as the limit, and not one more", async () => {
    const { token } = await createShare(ada, body({ password: "correct horse" }));
    const { max } = limits.sharePasswordPerAddress;
    const outcomes: string[] = [];
    for (let tries = 0; tries <= max; tries++) {
      const outcome = await unlockShare(token, "wrong", "198.51.100.2");
      outcomes.push(outcome.ok ? "open" : outcome.code);
    }
    expect(outcomes).toEqual([...Array.from({ length: max }, () => "wrong"), "too_many"]);
  });
});

describe("permissions", () => {
  test("an object of another workspace is a missing one", async () => {
    const tag = await createTag(ada, { name: "Tag" });
    const folder = await createFolder(ada, { name: "Folder", accessLevel: "write" });
    const subjects = { link, tag: tag.id, folder: folder.id };
    for (const [kind, subjectId] of Object.entries(subjects)) {
      await createShare(ada, body({ kind, subjectId }));
      await expect(createShare(eve, body({ kind, subjectId })), kind).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });

  test("a member shares what they see, and nothing that includes folders closed to them", async () => {
    const folder = await createFolder(ada, { name: "Closed", accessLevel: null });
    const hidden = await makeLink(ada, folder.id);
    const refused = (more: object) =>
      expect(createShare(mel, body(more)), JSON.stringify(more)).rejects;
    await refused({ kind: "folder", subjectId: folder.id }).toMatchObject({ code: "not_found" });
    await refused({ kind: "link", subjectId: hidden }).toMatchObject({ code: "not_found" });
    await refused({ kind: "workspace" }).toMatchObject({ code: "forbidden" });
    const { id } = await createShare(mel, body({ kind: "link", subjectId: link }));
    expect((await listShares(mel)).map((one) => one.id)).toEqual([id]);
    expect((await listShares(ada)).length).toBeGreaterThan(1);
  });

  test("a viewer creates no share, and only its creator, owners and admins revoke one", async () => {
    const viewer = await joinTestScope(ada, "vic", "viewer");
    await expect(
      createShare(viewer, body({ kind: "link", subjectId: link })),
    ).rejects.toMatchObject({ code: "forbidden" });
    const { id, token } = await createShare(ada, body());
    const other = await createShare(mel, body({ kind: "link", subjectId: link }));
    for (const scope of [mel, eve]) {
      await expect(revokeShare(scope, id)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await open(token)).toMatchObject({ ok: true });
    await revokeShare(ada, other.id);
    await expect(revokeShare(ada, "share_' OR true")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a workspace has as many shares as the limit, and not one more, also of two at once", async () => {
    const scope = await makeTestScope("many");
    await query(sql`
      INSERT INTO share (id, workspace_pk, name, kind, parts, token_hash, made_by)
      SELECT 'share_' || n, ${scope.workspacePk}, 'n', 'workspace', '{figures}', 'many' || n, 'x'
      FROM generate_series(2, ${sharesMax}) AS n`);
    const both = await Promise.allSettled([createShare(scope, body()), createShare(scope, body())]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listShares(scope)).toHaveLength(sharesMax);
  });
});

test("hostile tokens are missing ones", async () => {
  for (const token of ["", "\0", "a".repeat(10_000), "../..", "%00", "\u{d800}".repeat(32)]) {
    expect(await open(token)).toEqual(missing);
    expect(await unlockShare(token, "x", "203.0.113.9")).toEqual(missing);
  }
});
