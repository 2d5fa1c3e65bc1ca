import { beforeAll, beforeEach, expect, test } from "vitest";
import { eraseDue, maintainRollups } from "#lib/analytics/rollups";
import { createLinks, openLinks } from "#lib/links/creating";
import { groupLinksMax, type Link, type NewLink } from "#lib/links/fields/schema";
import { createFolder, deleteFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { findPksByName, getLink } from "#lib/links/reading";
import { createTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import { codeOfPk } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { putClicks } from "../../../test/clicks.ts";
import { keysOf, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { deleteLink } from "./index.ts";
import { deleteLinksWithUndo, forgetDeletedJob, restoreLinks } from "./undo-delete.ts";

openTestStores();

let ownScope: WorkspaceScope;
let otherScope: WorkspaceScope;
let created = 0;

beforeAll(async () => {
  await openLinks();
  await maintainRollups();
  ownScope = await makeTestScope("trash-ada");
  otherScope = await makeTestScope("trash-bob");
});

beforeEach(() => {
  created += 1;
});

async function one(body: Partial<NewLink> = {}, scope = ownScope): Promise<Link> {
  const [link] = await make(scope, [{ url: "https://a.example/", ...body }]);
  if (!link) throw new Error("no link");
  return link;
}

async function restore(...ids: string[]): Promise<string[]> {
  return codes(await restoreLinks(ownScope, ids));
}

function codes(outcomes: Awaited<ReturnType<typeof restoreLinks>>): string[] {
  return outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.code));
}

async function ownerOf(link: Link): Promise<number[]> {
  const all = await Promise.all(
    [ownScope, otherScope].map((scope) => findPksByName(scope, link.domain, link.key)),
  );
  return all.flat();
}

test("a deleted link stops at once and is restored with key, fields, tags, folder, visits left, text, clicks", async () => {
  const tag = await createTag(ownScope, tagBody.parse({ name: `T ${created}` }));
  const folder = await createFolder(ownScope, createFolderBody.parse({ name: `F ${created}` }));
  const chosen = await one({
    key: `chosen-${created}`,
    title: "Zanzibar",
    tagIds: [tag.id],
    folderId: folder.id,
    maxClicks: 5,
    expiresAt: "2031-01-02T03:04:05.678Z",
    password: "open",
    geo: { DE: "https://a.example/de" },
    externalId: `own-${created}`,
  });
  const generated = await one();
  const [first, second] = [
    await getLink(ownScope, chosen.id),
    await getLink(ownScope, generated.id),
  ];
  await query(sql`INSERT INTO link_allowance (link_pk, used, granted) VALUES (${first.pk}, 3, 1)`);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks) VALUES (${first.pk}, ${ownScope.workspacePk}, 9)`);
  const shown = (await getLink(ownScope, chosen.id)).link;
  expect(await deleteLinksWithUndo(ownScope, [chosen.id, generated.id])).toHaveLength(2);
  expect(await ownerOf(chosen)).toEqual([]);
  expect(await ownerOf(generated)).toEqual([]);
  await expect(getLink(ownScope, chosen.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await restore(chosen.id, generated.id)).toEqual(["ok", "ok"]);
  expect(await ownerOf(chosen)).toEqual([first.pk]);
  expect(await ownerOf(generated)).toEqual([second.pk]);
  expect(codeOfPk(second.pk)).toBe(generated.key);
  const again = await getLink(ownScope, chosen.id);
  expect({ ...again.link, updatedAt: "" }).toEqual({ ...shown, updatedAt: "" });
  expect(again.link.clicks).toBe(9);
  expect(await keysOf(ownScope, { search: "zanzibar" })).toEqual([chosen.key]);
  const [allowance] = await query(
    sql`SELECT used, granted FROM link_allowance WHERE link_pk = ${first.pk}`,
  );
  expect(allowance).toEqual({ used: 3, granted: 1 });
  const actions = await query<{ action: string }>(sql`
    SELECT action FROM audit WHERE subject = ${chosen.id} AND action <> 'link.create' ORDER BY pk`);
  expect(actions.map(({ action }) => action)).toEqual(["link.delete", "link.restore"]);
});

test("statistics are not erased while a link can be restored, nor after its restore; otherwise they are", async () => {
  const [back, dropped] = [await one(), await one()];
  const [one_, two] = [
    (await getLink(ownScope, back.id)).pk,
    (await getLink(ownScope, dropped.id)).pk,
  ];
  for (const pk of [one_, two]) {
    const from = new Date(Date.now() - 3_600_000);
    const links = { first: pk, count: 1 };
    await putClicks({
      workspacePk: ownScope.workspacePk,
      count: 5,
      from,
      until: new Date(),
      links,
    });
    await query(sql`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks) VALUES (${pk}, ${ownScope.workspacePk}, 5)`);
  }
  const clicks = async () =>
    (
      await query<{ pk: number }>(sql`
        SELECT DISTINCT link_pk AS pk FROM analytics.click
        WHERE link_pk IN (${one_}, ${two}) ORDER BY link_pk`)
    ).map(({ pk }) => pk);
  await deleteLinksWithUndo(ownScope, [back.id, dropped.id]);
  await eraseDue();
  expect(await clicks()).toEqual([one_, two].sort((x, y) => x - y));
  expect(await restore(back.id)).toEqual(["ok"]);
  await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 second'`);
  await eraseDue();
  expect(await clicks()).toEqual([one_]);
});

test("a name taken meanwhile keeps its new link, a chosen name and a generated one", async () => {
  for (const body of [{ key: `wanted-${created}` }, {}]) {
    const link = await one(body);
    await deleteLinksWithUndo(ownScope, [link.id]);
    const taker = await one({ key: link.key, url: "https://taker.example/" }, otherScope);
    const { pk } = await getLink(otherScope, taker.id);
    expect(await restore(link.id)).toEqual(["key_taken"]);
    expect(await ownerOf(link)).toEqual([pk]);
    // A refused restore can be repeated: once the name is free again, it succeeds.
    await deleteLink(otherScope, taker.id);
    expect(await restore(link.id)).toEqual(["ok"]);
  }
});

test("of a restore and a create of the same name at once exactly one succeeds", async () => {
  for (let round = 0; round < 24; round++) {
    const link = await one(round % 2 ? { key: `race-${round}` } : {});
    // The code is already reserved, as by an alias on another domain.
    const { pk } = await getLink(ownScope, link.id);
    await deleteLinksWithUndo(ownScope, [link.id]);
    if (round % 2 === 0) await query(sql`INSERT INTO link (pk) VALUES (${pk})`);
    const [restored, [created]] = await Promise.all([
      restoreLinks(ownScope, [link.id]),
      createLinks(otherScope, [{ url: "https://taker.example/", key: link.key }]),
    ]);
    expect([restored[0]?.ok, created?.ok].filter(Boolean)).toHaveLength(1);
    expect(await ownerOf(link)).toHaveLength(1);
  }
});

test("a link that is restored twice at once comes back once", async () => {
  const link = await one();
  await deleteLinksWithUndo(ownScope, [link.id]);
  const tries = await Promise.all([restore(link.id), restore(link.id), restore(link.id)]);
  expect(tries.flat().sort()).toEqual(["gone", "gone", "ok"]);
});

test("an externalId that another link took meanwhile is refused", async () => {
  const link = await one({ externalId: `ext-${created}` });
  await deleteLinksWithUndo(ownScope, [link.id]);
  await one({ externalId: `ext-${created}` });
  expect(await restore(link.id)).toEqual(["external_id_taken"]);
});

test("only the person who deleted it, while still authorized, and in time", async () => {
  const [late, link, plain] = [await one(), await one(), await one()];
  const member = await joinTestScope(ownScope, "trash-mel", "member");
  const viewer = await joinTestScope(ownScope, "trash-vic", "viewer");
  await expect(deleteLinksWithUndo(viewer, [link.id])).rejects.toMatchObject({ code: "forbidden" });
  await expect(restoreLinks(viewer, [link.id])).rejects.toMatchObject({ code: "forbidden" });
  expect(await deleteLinksWithUndo(otherScope, [link.id])).toEqual([]);
  const latePk = (await getLink(ownScope, late.id)).pk;
  await deleteLinksWithUndo(ownScope, [late.id, link.id]);
  await deleteLink(ownScope, plain.id);
  expect(codes(await restoreLinks(member, [link.id]))).toEqual(["gone"]);
  expect(codes(await restoreLinks(otherScope, [link.id]))).toEqual(["gone"]);
  await query(sql`
    UPDATE deleted_link SET deleted_at = now() - interval '10 minutes' WHERE link_pk = ${latePk}`);
  expect(await restore(late.id, plain.id, "nonsense")).toEqual(["gone", "gone", "gone"]);
  await forgetDeletedJob.handle({});
  expect(await query(sql`SELECT 1 FROM deleted_link WHERE link_pk = ${latePk}`)).toEqual([]);
  expect(await restore(link.id)).toEqual(["ok"]);
});

test("a folder that was deleted meanwhile is left out, and a missing domain refuses", async () => {
  const folder = await createFolder(ownScope, createFolderBody.parse({ name: `G ${created}` }));
  const link = await one({ folderId: folder.id });
  await deleteLinksWithUndo(ownScope, [link.id]);
  await deleteFolder(ownScope, folder.id);
  expect(await restore(link.id)).toEqual(["ok"]);
  expect((await getLink(ownScope, link.id)).link.folderId).toBeNull();
  await deleteLinksWithUndo(ownScope, [link.id]);
  await query(sql`
    UPDATE deleted_link SET link = link || '{"domain_pk": 999999}' WHERE workspace_pk = ${ownScope.workspacePk}`);
  expect(await restore(link.id)).toEqual(["domain_unknown"]);
});

test(`a call names at most ${groupLinksMax} links`, async () => {
  const ids = Array.from({ length: groupLinksMax + 1 }, (_, at) => `link_${at}`);
  expect(await deleteLinksWithUndo(ownScope, ids.slice(1))).toEqual([]);
  await expect(deleteLinksWithUndo(ownScope, ids)).rejects.toMatchObject({
    code: "unprocessable_entity",
  });
  await expect(restoreLinks(ownScope, ids)).rejects.toMatchObject({ code: "unprocessable_entity" });
});
