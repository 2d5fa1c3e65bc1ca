/** Campaigns whose destination is checked: one page stands for all links. */
import { expect, test } from "vitest";
import {
  checkCampaignAgain,
  getCampaignCheck,
  getDestinationCheck,
  listBroken,
} from "#lib/links/destination-checks";
import { editLink } from "#lib/links/editing";
import { editLinkBody, type Link } from "#lib/links/fields/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import {
  at,
  codeOf,
  openTestSites,
  round,
  seen,
  statesOf,
  urlOn,
} from "../../../test/checked-sites.ts";
import { keysOf, list, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { addRecipients, createCampaign, editCampaign, getCampaignStatus } from "./index.ts";

openTestStores({ FUXI_FETCH: "loopback" });

const recipients = 3;
let ada: WorkspaceScope;
let made = 0;

openTestSites((scope, nth) => {
  ada = scope;
  made = nth;
});

async function start(path: string, change: object = {}): Promise<{ id: string; links: Link[] }> {
  const destination = urlOn("shop", `${path}/{recipientId}`);
  const { id } = await createCampaign(ada, campaignBody({ destination, ...change }));
  await addRecipients(ada, id, recipientRows(recipients));
  return { id, links: await list(ada, { campaignId: id }) };
}

/** So many recipients open their links, this many hours ago. */
async function open(id: string, count: number, hoursAgo = 0): Promise<void> {
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT link_pk, workspace_pk, 1, now() - ${hoursAgo} * interval '1 hour'
    FROM campaign_recipient
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})
    ORDER BY position
    LIMIT ${count}
    ON CONFLICT (link_pk) DO UPDATE
    SET last_click_at = EXCLUDED.last_click_at`);
}

const pathOf = ({ url }: Pick<Link, "url">) => new URL(url).pathname;
const requested = () => seen.map(({ path }) => path);

test("one page of an opened link is checked for all links of a campaign, which is named when it’s broken", async () => {
  await query(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed)
    VALUES ('wh_broken', ${ada.workspacePk}, 'W', '', 'dub', '{destination.broken}', '{}', '{}', '{}',
      false, false, '')`);
  const { id, links } = await start("missing");
  await open(id, 2);
  await round(0);
  expect(requested()).toEqual([]);
  await editCampaign(ada, id, { checkDestination: true });
  expect((await getCampaignStatus(ada, id)).destination).toBeNull();
  for (const hours of [7, 8.1]) await round(hours);
  const [first, again, ...more] = requested();
  expect([again, more]).toEqual([first, []]);
  const opened = links.filter((link) => pathOf(link) !== pathOf(links[0] ?? { url: "" }));
  expect(opened.map(pathOf)).toContain(first);
  const broken = { state: "not_found", status: 404 };
  expect((await getCampaignStatus(ada, id)).destination).toMatchObject(broken);
  for (const link of links) {
    expect(await getDestinationCheck(ada, link.id)).toMatchObject(broken);
  }
  expect((await listBroken(ada, links)).size).toBe(recipients);
  expect((await keysOf(ada, { status: "broken" })).sort()).toEqual(
    links.map(({ key }) => key).sort(),
  );
  const details = { host: "shop.localhost", state: "not_found", name: "Autumn" };
  expect(await listNotifications(ada)).toEqual([
    expect.objectContaining({ kind: "destination.broken", subject: id, details }),
  ]);
  const [outbox] = await query<{ events: { data: unknown }[] }>(
    sql`SELECT events FROM webhook_outbox WHERE workspace_pk = ${ada.workspacePk}`,
  );
  expect(outbox?.events[0]?.data).toMatchObject({ campaign: { id, name: "Autumn" } });
});

test("a campaign whose check is turned off is forgotten", async () => {
  const { id, links } = await start("missing", { checkDestination: true });
  await open(id, recipients);
  for (const hours of [0, 1.1]) await round(hours);
  expect((await listBroken(ada, links)).size).toBe(recipients);
  const count = seen.length;
  await editCampaign(ada, id, { checkDestination: false });
  expect(await getCampaignCheck(ada, id)).toBeUndefined();
  expect((await listBroken(ada, links)).size).toBe(0);
  expect(await keysOf(ada, { status: "broken" })).toEqual([]);
  for (const hours of [5, 50]) await round(hours);
  expect(seen).toHaveLength(count);
  expect((await statesOf(ada)).size).toBe(0);
});

test("a campaign keeps its page until the link leads elsewhere, and then takes another opened link", async () => {
  const { id, links } = await start("ok", { checkDestination: true });
  await open(id, 1, 2);
  await round(0);
  await open(id, recipients);
  await round(30);
  const [first, second] = requested();
  expect(second).toBe(first);
  const link = links.find((one) => pathOf(one) === first);
  await editLink(ada, link?.id ?? "", editLinkBody.parse({ url: urlOn("other", "ok") }));
  for (const hours of [60, 70]) await round(hours);
  expect(requested()).toHaveLength(3);
  expect(requested()).not.toContain("/ok");
  expect(requested()[2]).not.toBe(first);
});

test("two campaigns and a link to one page are checked by one request", async () => {
  const destination = urlOn("shop", "ok");
  const { id } = await start("ok", { checkDestination: true, destination });
  const { id: other } = await start("ok", { checkDestination: true, destination });
  await make(ada, [{ url: destination }]);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 1, now() FROM link WHERE workspace_pk = ${ada.workspacePk}`);
  await round(0);
  expect(requested()).toEqual(["/ok"]);
  expect((await getCampaignCheck(ada, id))?.state).toBe("works");
  expect((await getCampaignCheck(ada, other))?.state).toBe("works");
});

test("people check a campaign again after its first visit; others can’t", async () => {
  const { id } = await start("ok", { checkDestination: true });
  expect(await codeOf(checkCampaignAgain(ada, id))).toBe("destination_not_opened");
  await open(id, 1, 24 * 30);
  expect(await codeOf(checkCampaignAgain(ada, id, at(0)))).toBe("ok");
  await round(0);
  expect(await getCampaignCheck(ada, id)).toMatchObject({ state: "works", status: 200 });
  expect(seen).toHaveLength(1);
  const viewer = await joinTestScope(ada, `viewer-${made}`, "viewer");
  const member = await joinTestScope(ada, `member-${made}`, "member");
  const eve = await makeTestScope(`eve-${made}`);
  expect(await codeOf(checkCampaignAgain(viewer, id))).toBe("forbidden");
  expect(await codeOf(checkCampaignAgain(member, id))).toBe("not_found");
  expect(await getCampaignCheck(eve, id)).toBeUndefined();
});

test("a link with the externalId of a recipient is not part of the campaign", async () => {
  const { id, links } = await start("missing", { checkDestination: true });
  await open(id, recipients);
  for (const hours of [0, 1.1]) await round(hours);
  const eve = await makeTestScope(`eve-${made}`);
  const externalId = links[0]?.externalId ?? null;
  const [copy] = await make(eve, [{ url: urlOn("eve", "ok"), externalId }]);
  expect((await listBroken(eve, copy ? [copy] : [])).size).toBe(0);
  expect((await getDestinationCheck(eve, copy?.id ?? "")).state).toBe("unchecked");
});
