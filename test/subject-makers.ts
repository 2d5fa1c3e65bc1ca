/** The objects of api-subjects.ts that take several steps. */
import { trackLead } from "#lib/analytics/conversions";
import { trackLeadBody } from "#lib/analytics/conversions/schema";
import { listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { createTrackingKey } from "#lib/analytics/tracking-keys";
import { saveAnswer } from "#lib/audience/form-answers";
import { createForm } from "#lib/audience/forms";
import { newForm, type ShownForm } from "#lib/audience/forms/schema";
import { createWechatAccount } from "#lib/audience/wechat-accounts";
import { putWechatDomain } from "#lib/audience/wechat-domains";
import { newId, parseId, presentId } from "#lib/basics/ids";
import { createCampaign } from "#lib/outreach/campaigns";
import { createWebhook } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { uploadImport } from "#lib/transfer/imports";
import { campaignBody } from "./campaigns.ts";
import { uploadText } from "./sources.ts";

const wechatSecret = "0123456789abcdefABCDEF0123456789";

export async function makeCampaigns(scope: WorkspaceScope, number: number) {
  const campaign = await createCampaign(scope, campaignBody({ name: `Campaign ${number}` }));
  const other = await createCampaign(scope, campaignBody());
  return {
    campaign: campaign.id,
    otherCampaign: other.id,
    ...(await sourcesOf(scope, campaign.id)),
  };
}

/** A click of an hour ago on the link, and a customer who came with it. */
export async function makeCustomer(scope: WorkspaceScope, link: string) {
  const at = Date.now() - 3_600_000;
  await ensurePartitions(["click"], [at]);
  const [click] = await query<{ id: string }>(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace, id)
    SELECT ${new Date(at)}, pk, workspace_pk, domain_pk, false, false, true, true, gen_random_uuid()
    FROM link
    WHERE workspace_pk = ${scope.workspacePk} AND id = ${String(parseId("link", link))}
    RETURNING id`);
  const clickId = `${at}-${click?.id}`;
  const customerExternalId = `customer-${clickId}`;
  const lead = { clickId, customerExternalId, eventName: "Trial" };
  await trackLead(scope, trackLeadBody.parse(lead));
  const [customer] = await listCustomers(
    scope,
    listCustomersQuery.parse({ externalId: customerExternalId }),
  );
  return { click: clickId, customer: String(customer?.id) };
}

export function makePublicKey(scope: WorkspaceScope, number: number) {
  const site = { name: `Shop ${number}`, hosts: ["shop.example"] };
  return createTrackingKey(scope, site);
}

export function makeForm(scope: WorkspaceScope, name: string) {
  const form = {
    name,
    title: "Call me",
    fields: [{ type: "phone" }],
    consent: "You call me.",
    controller: "Acme",
    privacyUrl: "https://acme.example/privacy",
    published: true,
  };
  return createForm(scope, newForm.parse(form));
}

/** A contact who answered a form on the link. */
export async function makeContact(scope: WorkspaceScope, number: number, link: string) {
  const answered = await makeForm(scope, `Answered ${number}`);
  const [shown] = await query<ShownForm>(
    sql`SELECT id, pk, workspace_pk AS "workspacePk", version, content, personal FROM form WHERE id = ${answered.id}`,
  );
  const [row] = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE id = ${String(parseId("link", link))}`,
  );
  if (!shown || !row) throw new Error("A form or link is missing");
  const contact = await saveAnswer({
    form: shown,
    linkPk: row.pk,
    facts: {
      phone: `+1202555${String(number % 10_000).padStart(4, "0")}`,
      email: null,
      name: null,
    },
    given: [],
    marketing: false,
    language: "en",
    country: "US",
  });
  return { contact: presentId("con", contact) };
}

export async function makeWebhook(scope: WorkspaceScope, number: number) {
  const fields = { name: `Webhook ${number}`, url: "https://example.com/hook" };
  const body = createWebhookBody.parse({ ...fields, events: ["link.created"] });
  const { id } = await createWebhook(scope, body);
  return { webhook: id, event: await eventOf(id) };
}

/** An event that the webhook gets. */
async function eventOf(webhookId: string): Promise<string> {
  const id = newId("evt");
  await query(sql`
    WITH event AS (
      INSERT INTO webhook_event (id, workspace_pk, type, data)
      SELECT ${id}, workspace_pk, 'link.created', '{}'
      FROM webhook
      WHERE id = ${webhookId}
      RETURNING pk
    )
    INSERT INTO webhook_delivery (webhook_pk, event_pk)
    SELECT webhook.pk, event.pk
    FROM webhook
    CROSS JOIN event
    WHERE webhook.id = ${webhookId}`);
  return id;
}

/** A file of one row, in its initial state, and an importer that no worker has taken. */
export async function makeImports(scope: WorkspaceScope) {
  const { workspacePk, userPk } = scope;
  const id = newId("impr");
  await query(sql`
    INSERT INTO importer (id, workspace_pk, user_pk, system, clicks, import_id)
    VALUES (${id}, ${workspacePk}, ${userPk}, 'dub', true, ${newId("imp")})`);
  const body = new Blob(["https://example.com/imported\n"]).stream();
  const file = await uploadImport(scope, body, { name: "things.csv" });
  return { import: file.id, importer: id };
}

/** A paused file of recipients, one that is ready, and another campaign that waits. */
async function sourcesOf(scope: WorkspaceScope, campaignId: string) {
  const { id: source } = await uploadText(scope, campaignId, "phone\n13800138000\n");
  const { id: readySource } = await uploadText(scope, campaignId, "phone\n13800138000\n");
  const waitingSource = newId("src");
  await query(sql`
    INSERT INTO recipient_source (
      id, campaign_pk, workspace_pk, user_pk, name, audience, records, state
    )
    SELECT ${waitingSource}, campaign_pk, workspace_pk, user_pk, name, 'all', 1, 'waiting'
    FROM recipient_source
    WHERE id = ${source}`);
  await query(sql`UPDATE recipient_source SET state = 'paused', refused = 1 WHERE id = ${source}`);
  return { source, readySource, waitingSource };
}

/** With the official account that may use it. */
export async function makeDomain(scope: WorkspaceScope, number: number) {
  const domain = `things-${number}.example`;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${scope.workspacePk}, ${domain}, now())`);
  const { id: officialAccount } = await createWechatAccount(scope, {
    kind: "officialAccount",
    name: "Tea",
    appId: `wxf${String(number).padStart(15, "0")}`,
    secret: wechatSecret,
  });
  await putWechatDomain(scope, domain, { accountId: officialAccount, file: null, callback: false });
  return { domain, officialAccount };
}

export function makeWechatAccount(scope: WorkspaceScope, number: number) {
  const appId = `wx${String(number).padStart(16, "0")}`;
  const shop = { kind: "miniProgram", name: "Shop", appId, secret: wechatSecret } as const;
  return createWechatAccount(scope, shop);
}
