/** Which destinations are checked, and who learns about them. */
import { expect, test } from "vitest";
import { editLink } from "#lib/links/editing";
import { editLinkBody } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { config } from "#lib/platform/config";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import {
  at,
  codeOf,
  openTestSites,
  others,
  round,
  seen,
  statesOf,
  urlOn,
  visit,
} from "../../../test/checked-sites.ts";
import { resetLimits } from "../../../test/limits.ts";
import { keysOf, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkAgain, getDestinationCheck, listBroken } from "./index.ts";
import { pagesPerWorkspaceMax, visitedDays } from "./walk.ts";

openTestStores({ FUXI_FETCH: "loopback" });

let ada: WorkspaceScope;
let made = 0;

openTestSites((scope, nth) => {
  ada = scope;
  made = nth;
});

test("a destination is broken after two failures an hour apart, which managers are told once per host and day", async () => {
  const member = await joinTestScope(ada, `member-${made}`, "member");
  await query(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed)
    VALUES ('wh_broken', ${ada.workspacePk}, 'W', '', 'dub', '{destination.broken}', '{}', '{}', '{}',
      false, false, '')`);
  const [link] = await visit(ada, [urlOn("shop", "missing/1"), urlOn("shop", "fails/2")]);
  const id = link?.id ?? "";
  const told = async (scope = ada) =>
    (await listNotifications(scope)).map(({ kind, details }) => [kind, details?.["host"]]);
  await round(0);
  expect(await getDestinationCheck(ada, id)).toMatchObject({
    state: "unchecked",
    status: 404,
    failingSince: expect.any(String),
  });
  await checkAgain(ada, id, at(0.5));
  await round(0.9);
  expect((await getDestinationCheck(ada, id)).state).toBe("unchecked");
  expect(await told()).toEqual([]);
  expect(await keysOf(ada, { status: "broken" })).toEqual([]);
  await Promise.all([round(1.05), round(1.05)]);
  expect((await getDestinationCheck(ada, id)).state).toBe("not_found");
  expect(await told()).toEqual([["destination.broken", "shop.localhost"]]);
  expect(await told(member)).toEqual([]);
  expect(await keysOf(ada, { status: "broken" })).toHaveLength(2);
  for (const hours of [4, 10, 30]) await round(hours);
  expect(await told()).toHaveLength(1);
  const events = await query<{ events: { type: string; data: unknown }[] }>(
    sql`SELECT events FROM webhook_outbox WHERE workspace_pk = ${ada.workspacePk}`,
  );
  expect(events.flatMap((row) => row.events)).toEqual([
    expect.objectContaining({
      type: "destination.broken",
      data: expect.objectContaining({
        destination: expect.objectContaining({ host: "shop.localhost" }),
      }),
    }),
  ]);
});

test("managers get one email a day, however many hosts are broken", async () => {
  await visit(ada, [urlOn("shop", "missing/1"), urlOn("blog", "missing/2")]);
  for (const hours of [0, 1.05]) await round(hours);
  const notices = await query<{ mail: boolean }>(sql`
    SELECT mail_due AS mail FROM notice
    WHERE workspace_pk = ${ada.workspacePk} AND kind = 'destination.broken'
    ORDER BY mail_due`);
  expect(notices).toEqual([{ mail: false }, { mail: true }]);
});

test("a destination that works again is no longer broken", async () => {
  let status = 500;
  others["mended"] = (_req, res) => void res.writeHead(status).end();
  const [link] = await visit(ada, [urlOn("mended", "mended")]);
  for (const hours of [0, 1]) await round(hours);
  expect([
    ...(await listBroken(ada, [link ?? { id: "", url: "", externalId: null }])).values(),
  ]).toEqual(["server_error"]);
  status = 200;
  await round(3.1);
  expect(await getDestinationCheck(ada, link?.id ?? "")).toMatchObject({
    state: "works",
    status: 200,
    failingSince: null,
  });
  expect(await keysOf(ada, { status: "broken" })).toEqual([]);
});

test("a million links to a page cost one check, whatever their fragments are", async () => {
  const page = urlOn("one", "gone");
  const links = await visit(ada, [page, page, `${page}#a`, `${page}#b`]);
  for (const hours of [0, 1]) await round(hours);
  expect(seen).toHaveLength(2);
  expect((await keysOf(ada, { status: "broken" })).sort()).toEqual(
    links.map(({ key }) => key).sort(),
  );
  expect((await listBroken(ada, links)).size).toBe(4);
});

test("links that nobody visited lately, links of campaigns and links that are off are not checked", async () => {
  const edge = visitedDays * 24;
  await visit(ada, [urlOn("old", "ok")], edge + 1);
  await visit(ada, [urlOn("new", "ok")], edge - 1);
  const campaign = { source: "campaign", prefill: false } as const;
  const externalId = `rcp_${"0".repeat(26)}`;
  await make(ada, [{ url: urlOn("campaign", "ok"), externalId }], campaign);
  await make(ada, [{ url: urlOn("off", "ok"), disabled: true }, { url: "weixin://dl/business" }]);
  await visit(ada, []);
  await round(0);
  expect(seen.map(({ host }) => host)).toEqual(["new.localhost"]);
});

test("a page is forgotten when its link leads elsewhere, and waits while nobody visits it", async () => {
  const [link] = await visit(ada, [urlOn("before", "ok"), urlOn("kept", "ok")]);
  await round(0);
  await editLink(ada, link?.id ?? "", editLinkBody.parse({ url: urlOn("after", "ok") }));
  await round(25);
  expect([...(await statesOf(ada)).keys()]).not.toContain(urlOn("before", "ok"));
  const count = seen.length;
  await query(sql`UPDATE link_stat SET last_click_at = now() - interval '8 days'`);
  await query(sql`UPDATE destination_check SET visited_at = now() - interval '8 days'`);
  await round(60);
  expect(seen).toHaveLength(count);
});

test("a workspace has at most so many pages, and others are not pushed out", async () => {
  const [link] = await make(ada, [{ url: urlOn("x", "ok") }]);
  await query(sql`
    INSERT INTO destination_check (workspace_pk, url_hash, url, host, link_pk, visited_at, next_at)
    SELECT ${ada.workspacePk}, sha256(convert_to(n::text, 'UTF8')), n::text, 'h', -2, now(), 'infinity'
    FROM generate_series(2, ${pagesPerWorkspaceMax}) AS n`);
  await checkAgain(ada, link?.id ?? "");
  const [other] = await make(ada, [{ url: urlOn("y", "ok") }]);
  expect(await codeOf(checkAgain(ada, other?.id ?? ""))).toBe("destination_pages_used_up");
  await visit(ada, []);
  await round(0);
  expect((await statesOf(ada)).size).toBe(pagesPerWorkspaceMax);
});

test("people can check again as often as the limit allows; viewers, other workspaces and hidden links cannot", async () => {
  const [link] = await make(ada, [{ url: urlOn("again", "ok") }]);
  const id = link?.id ?? "";
  const viewer = await joinTestScope(ada, `viewer-${made}`, "viewer");
  const eve = await makeTestScope(`eve-${made}`);
  expect(await codeOf(checkAgain(viewer, id))).toBe("forbidden");
  expect(await codeOf(checkAgain(eve, id))).toBe("not_found");
  expect(await codeOf(getDestinationCheck(eve, id))).toBe("not_found");
  const member = await joinTestScope(ada, `member-${made}`, "member");
  const closed = createFolderBody.parse({ name: "closed", accessLevel: null });
  const folderId = (await createFolder(ada, closed)).id;
  const [hidden] = await make(ada, [{ url: urlOn("hidden", "ok"), folderId }]);
  expect(await codeOf(checkAgain(member, hidden?.id ?? ""))).toBe("not_found");
  const { max } = limits.destinationCheckPerWorkspace;
  for (let n = 0; n < max; n++) expect(await codeOf(checkAgain(ada, id))).toBe("ok");
  expect(await codeOf(checkAgain(ada, id))).toBe("rate_limit_exceeded");
  await round(0);
  expect(await getDestinationCheck(viewer, id)).toMatchObject({ state: "works", status: 200 });
  expect(seen).toHaveLength(1);
  const [app] = await make(ada, [{ url: "weixin://dl/business" }]);
  await resetLimits();
  expect(await codeOf(checkAgain(ada, app?.id ?? ""))).toBe("destination_no_page");
});

test("a workspace learns nothing from the checks of another one", async () => {
  const url = urlOn("both", "ok");
  await visit(ada, [url]);
  await round(0);
  const eve = await makeTestScope(`eve-${made}`);
  const [link] = await make(eve, [{ url }]);
  expect(await getDestinationCheck(eve, link?.id ?? "")).toMatchObject({
    state: "unchecked",
    checkedAt: null,
  });
});

test("without requests to other servers, nothing is checked", async () => {
  const [link] = await visit(ada, [urlOn("none", "ok")]);
  Object.assign(config(), { FUXI_FETCH: "none" });
  try {
    await round(0);
    expect([seen, [...(await statesOf(ada))]]).toEqual([[], []]);
    expect(await codeOf(checkAgain(ada, link?.id ?? ""))).toBe("destinations_unchecked");
  } finally {
    Object.assign(config(), { FUXI_FETCH: "loopback" });
  }
});
