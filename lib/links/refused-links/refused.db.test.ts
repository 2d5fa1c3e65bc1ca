/** Every place where a destination enters is checked against the lists; a visit never is. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeDestinationList } from "#lib/destinations/lists";
import { changeListBody } from "#lib/destinations/lists/schema";
import {
  createLinks,
  createLinksInBulk,
  createUnmatched,
  dryRunRows,
  duplicateLink,
  openLinks,
  prepareRows,
} from "#lib/links/creating";
import { createDomain, editDomain } from "#lib/links/domains";
import { createDomainBody, editDomainBody } from "#lib/links/domains/schema";
import { editLink, listHistory, restoreState } from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { runListJob, startDisablingRefused, undoListJob } from "#lib/links/list-jobs";
import { getLink } from "#lib/links/reading";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listRefusedLinks } from "./index.ts";
import { refusedMax } from "./schema.ts";

openTestStores();

const page = "https://good.example/";
const evil = "https://evil.example/x";
let ada: WorkspaceScope;
let made = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});
beforeEach(async () => {
  made += 1;
  ada = await makeTestScope(`ada-${made}`);
});

function change(kind: "allow" | "block", body: object) {
  return changeDestinationList(ada, kind, changeListBody.parse(body));
}

const places: [name: string, body: (url: string) => object][] = [
  ["url", (url) => ({ url })],
  ["expiredUrl", (expiredUrl) => ({ expiredUrl })],
  ["ios", (ios) => ({ ios })],
  ["android", (android) => ({ android })],
  [
    "an app that opens a page",
    () => ({ android: "intent://evil.example/x#Intent;scheme=https;end" }),
  ],
  ["geo", (url) => ({ geo: { DE: url } })],
  [
    "testVariants",
    (url) => ({
      testVariants: [
        { url: page, percentage: 50 },
        { url, percentage: 50 },
      ],
    }),
  ],
  ["rules", (url) => ({ rules: [{ url, device: ["mobile"] }] })],
];

async function codesOf(body: object): Promise<string[]> {
  const full = { url: page, ...body };
  const parsed = createLinkBody.parse(full);
  const options = { source: "dashboard", prefill: false } as const;
  const [one] = await createLinks(ada, [parsed]);
  const [ofMany] = await createLinksInBulk(ada, [full], options);
  const upserted = await createUnmatched(ada, parsed);
  const [imported] = (await prepareRows(ada, [full], options, "refuse")).entries;
  const [previewed] = await dryRunRows(ada, [full], "refuse");
  const [link] = await make(ada, [{ url: page }]);
  const edited = await editLink(ada, link?.id ?? "", editLinkBody.parse(body));
  return [one, ofMany, upserted, imported, previewed, edited].map((outcome) =>
    outcome && "code" in outcome ? outcome.code : "ok",
  );
}

test.each(places)(
  "%s is refused in a create, a bulk create, an upsert, an import, its preview and an edit",
  async (_name, bodyOf) => {
    await change("block", { add: ["evil.example"] });
    expect(await codesOf(bodyOf(evil))).toEqual(Array(6).fill("destination_refused"));
    await change("block", { remove: ["evil.example"] });
    expect(await codesOf(bodyOf(evil))).toEqual(Array(6).fill("ok"));
  },
);

test("the failure names the host and the list", async () => {
  await change("allow", { add: ["good.example"] });
  const [outcome] = await createLinks(ada, [{ url: evil }]);
  expect(outcome).toEqual({
    ok: false,
    code: "destination_refused",
    message:
      "evil.example isn’t on the allow list of this workspace. Use another destination, or ask an admin to add it.",
    details: { host: "evil.example", list: "allow", owner: "workspace" },
  });
});

test("a link keeps its destination when other fields change, and can’t be given another refused one", async () => {
  const [link] = await make(ada, [{ url: evil }]);
  const id = link?.id ?? "";
  await change("block", { add: ["evil.example"] });
  const kept = { url: evil, title: "New" };
  expect(await editLink(ada, id, editLinkBody.parse(kept))).toMatchObject({ ok: true });
  const moved = { url: `${evil}y` };
  expect(await editLink(ada, id, editLinkBody.parse(moved))).toMatchObject({
    code: "destination_refused",
  });
});

test("a copy and an earlier state are refused like a new link", async () => {
  const [link] = await make(ada, [{ url: evil }]);
  const id = link?.id ?? "";
  await editLink(ada, id, editLinkBody.parse({ url: page }));
  const { revision } = await listHistory(ada, id);
  await change("block", { add: ["evil.example"] });
  expect(await restoreState(ada, id, null, revision)).toMatchObject({
    code: "destination_refused",
  });
  const [other] = await make(ada, [{ url: page }]);
  await change("block", { add: ["good.example"] });
  expect(await duplicateLink(ada, other?.id ?? "")).toMatchObject({ code: "destination_refused" });
});

test.each(["placeholder", "expiredUrl", "notFoundUrl"])(
  "%s of a domain is refused, and one that it already has may stay",
  async (field) => {
    const slug = `go-${made}.example`;
    await createDomain(ada, createDomainBody.parse({ slug, [field]: evil }));
    await change("block", { add: ["evil.example"] });
    const refused = { problem: { code: "destination_refused" } };
    const edit = (url: string) => editDomain(ada, slug, editDomainBody.parse({ [field]: url }));
    await expect(edit(`${evil}y`)).rejects.toMatchObject(refused);
    expect(await edit(evil)).toMatchObject({ [field]: evil });
    const other = createDomainBody.parse({ slug: `new-${slug}`, [field]: evil });
    await expect(createDomain(ada, other)).rejects.toMatchObject(refused);
  },
);

test("the report lists refused links page by page, without disabled ones", async () => {
  await make(
    ada,
    [...Array(refusedMax + 1)].map((_, at) => ({ url: `${evil}${at}` })),
  );
  await make(ada, [{ url: page }, { url: evil, archived: true }, { url: evil, disabled: true }]);
  expect(await listRefusedLinks(ada, {})).toMatchObject({ links: [], next: null });
  await change("block", { add: ["evil.example"] });
  const first = await listRefusedLinks(ada, {});
  expect(first.links).toHaveLength(refusedMax);
  expect(first.links[0]).toMatchObject({ host: "evil.example", list: "block", owner: "workspace" });
  const rest = await listRefusedLinks(ada, { startingAfter: first.next ?? "" });
  expect(rest).toMatchObject({ next: null });
  expect(new Set([...first.links, ...rest.links].map(({ id }) => id)).size).toBe(refusedMax + 2);
});

test("one job disables all refused links, another worker changes nothing more, and it can be undone", async () => {
  const links = await make(ada, [{ url: evil }, { url: page }, { url: evil, archived: true }]);
  await change("block", { add: ["evil.example"] });
  const job = await startDisablingRefused(ada);
  const disabled = async () =>
    await Promise.all(
      links.map(async ({ id }) => (await getLink(ada, id)).link.disabledAt !== null),
    );
  await runListJob(job.id);
  expect(await disabled()).toEqual([true, false, true]);
  await runListJob(job.id);
  const [row] = await query<{ done: number; changed: number }>(
    sql`SELECT done, changed FROM list_job WHERE id = ${job.id}`,
  );
  expect(row).toEqual({ done: 3, changed: 2 });
  await undoListJob(ada, job.id);
  await runListJob(job.id);
  expect(await disabled()).toEqual([false, false, false]);
  expect((await listRefusedLinks(ada, {})).links).toHaveLength(2);
});

test("members can’t disable the refused links of a workspace", async () => {
  const member = await joinTestScope(ada, `member-${made}`, "member");
  await expect(startDisablingRefused(member)).rejects.toMatchObject({ code: "forbidden" });
});
