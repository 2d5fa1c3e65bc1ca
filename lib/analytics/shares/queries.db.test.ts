/** A guest sees the stats of the share's subject, and nothing else of the workspace. */
import { beforeAll, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { readArchive } from "../../../test/archive.ts";
import { type ClickedWorkspace, fillWorkspace } from "../../../test/clicked-workspace.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createShare, exportShare, queryShare, revokeShare } from "./index.ts";
import { type NewShare, newShare } from "./schema.ts";

openTestStores();

let filled: ClickedWorkspace;

beforeAll(async () => {
  filled = await fillWorkspace(await makeTestScope("host"), 2_000);
});

function share(more: Partial<Record<keyof NewShare, unknown>>) {
  const body = { name: "Numbers", kind: "workspace", parts: ["figures", "top"], ...more };
  return createShare(filled.scope, newShare.parse(body));
}

function ask(token: string, text: string): Promise<unknown> {
  const guest = { token, grant: undefined, address: "203.0.113.7" };
  return queryShare(guest, new URLSearchParams(text));
}

async function clicksOf(where: string): Promise<number> {
  const [row] = await query<{ count: number }>({
    text: `
      WITH recent AS MATERIALIZED (
        SELECT link_pk
        FROM analytics.click
        WHERE NOT bot AND at > date_trunc('day', now()) - interval '29 days'
      ), link AS MATERIALIZED (
        SELECT * FROM public.link
      ), link_tag AS MATERIALIZED (
        SELECT * FROM public.link_tag
      )
      SELECT count(*) FROM recent JOIN link ON link.pk = link_pk WHERE ${where}`,
    values: [],
  });
  return row?.count ?? 0;
}

test("a share of a link, a folder or a tag counts only that", async () => {
  const [link, [tag], [folder]] = [filled.links[2], filled.tagIds, filled.folderIds];
  const subjects = [
    ["link", link?.id, "external_id = 'external-2'"],
    [
      "tag",
      tag,
      `EXISTS (SELECT FROM link_tag JOIN tag ON tag.pk = tag_pk WHERE link_pk = link.pk AND tag.id = '${tag}')`,
    ],
    ["folder", folder, `folder_pk = (SELECT pk FROM folder WHERE id = '${folder}')`],
    ["workspace", undefined, "true"],
  ] as const;
  for (const [kind, subjectId, where] of subjects) {
    const { token } = await share({ kind, subjectId });
    const clicks = await clicksOf(where);
    expect(clicks).toBeGreaterThan(100);
    expect([kind, await ask(token, "interval=30d")]).toEqual([kind, { clicks }]);
  }
});

test("rows of links have no destination, no comment and no folder, also in one response with others", async () => {
  const { token } = await share({});
  const answer = Object(await ask(token, "interval=30d&groupBy=count,top_links"));
  expect(Object.keys(answer)).toEqual(["count", "top_links"]);
  expect(answer.top_links).toHaveLength(filled.links.length);
  expect(Object.keys(answer.top_links[0]).toSorted()).toEqual(["clicks", "id", "shortLink"]);
});

test("a card as a file has the rows of the page, and nothing else", async () => {
  const { token } = await share({ parts: ["top"] });
  const guest = { token, grant: undefined, address: "203.0.113.7" };
  const save = (text: string) => exportShare(guest, new URLSearchParams(text));
  const { name, body } = await save("interval=30d&groupBy=top_links&unique=true");
  const text = Buffer.from(body).toString();
  expect(name).toBe("fuxi-top_links.csv");
  const [head, ...lines] = text.trimEnd().split("\r\n");
  expect(head).toBe("\u{feff}id,shortLink,clicks,visitors");
  expect(lines).toHaveLength(filled.links.length);
  expect(text).not.toContain("external-2");
  const refused = (query: string, code: string) =>
    expect(save(query)).rejects.toMatchObject({ code });
  await refused("interval=30d&groupBy=countries", "forbidden");
  await refused("interval=30d&groupBy=top_links,top_urls", "unprocessable_entity");
  await refused("interval=30d&groupBy=top_links&workspace=others", "forbidden");
  const locked = await share({ password: "correct horse" });
  const other = { ...guest, token: locked.token };
  const queryParams = new URLSearchParams("interval=30d&groupBy=top_links");
  await expect(exportShare(other, queryParams)).rejects.toMatchObject({ code: "unauthorized" });
});

test("all cards as an archive are those of the share", async () => {
  const { token } = await share({ parts: ["figures", "top", "sources", "devices"] });
  const guest = { token, grant: undefined, address: "203.0.113.7" };
  const { name, body } = await exportShare(guest, new URLSearchParams("interval=30d&groupBy=all"));
  expect(name).toBe("fuxi-analytics.zip");
  const read = await readArchive(Buffer.from(body));
  const files = new Map(read.map((file) => [file.name, file.bytes.toString()]));
  expect(files.size).toBe(18);
  expect([...files.keys()].filter((file) => /countr|cities|hours|series/.test(file))).toEqual([]);
  expect(files.get("count.csv")).toMatch(/^\u{feff}clicks\r\n\d+\r\n$/u);
  const single = await exportShare(guest, new URLSearchParams("interval=30d&groupBy=top_links"));
  expect(files.get("top_links.csv")).toBe(Buffer.from(single.body).toString());
});

test("a hidden card is a 403, an invalid query a 422, and a revoked share a 404", async () => {
  const { id, token } = await share({ parts: ["figures"], daysMax: 7 });
  const refused = (text: string, code: string) =>
    expect(ask(token, text)).rejects.toMatchObject({ code });
  await refused("groupBy=top_links&interval=7d", "forbidden");
  await refused("interval=30d", "forbidden");
  await refused("interval=7d&timezone=Mars/Base", "unprocessable_entity");
  await refused("interval=7d&unique=perhaps", "unprocessable_entity");
  await revokeShare(filled.scope, id);
  await refused("interval=7d", "not_found");
  await expect(ask("x", "interval=7d")).rejects.toMatchObject({ code: "not_found" });
});

test("with a password the numbers need its grant", async () => {
  const { token } = await share({ password: "correct horse" });
  await expect(ask(token, "interval=7d")).rejects.toMatchObject({ code: "unauthorized" });
});

test("a share reaches no further back than its days, also where its workspace keeps more", async () => {
  const { token } = await share({ daysMax: 7 });
  const week = Object(await ask(token, "interval=7d"));
  const [row] = await query<{ count: number }>(sql`
    SELECT count(*)
    FROM analytics.click
    WHERE NOT bot
      AND at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '6 days'`);
  expect(week.clicks).toBe(row?.count);
});
