/** For tests of the API: objects that calls can refer to, and missing ids of the same form. */
import sharp from "sharp";
import { trackLead } from "#lib/analytics/conversions";
import { trackLeadBody } from "#lib/analytics/conversions/schema";
import { listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { createTrackingKey } from "#lib/analytics/tracking-keys";
import { createApiKey } from "#lib/identity/api-keys";
import { startBulkJob } from "#lib/links/bulk-jobs";
import { saveAnswer } from "#lib/links/contacts";
import { createLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createForm } from "#lib/links/forms";
import { newForm, type ShownForm } from "#lib/links/forms/schema";
import { plainDesign } from "#lib/links/qr-design/schema";
import { storeSocialImage } from "#lib/links/social-images";
import { createTag } from "#lib/links/tags";
import { createUtmTemplate } from "#lib/links/utm";
import { createWechatAccount } from "#lib/links/wechat-accounts";
import { createCampaign } from "#lib/outreach/campaigns";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { addOptOuts, listOptOuts } from "#lib/outreach/opt-outs";
import { createTemplate, storeLogo } from "#lib/outreach/qr-templates";
import { createWebhook } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { newId, newUuid, parseId, presentId } from "#lib/platform/ids";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { setUpWorkspace } from "#lib/tenancy/workspaces";
import { uploadImport } from "#lib/transfer/imports";
import { campaignBody } from "./campaigns.ts";
import { uploadText } from "./sources.ts";

const origin = "http://localhost:3000";
/** A PNG of one pixel, in base64. */
export const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Objects of one workspace, by their names in calls. */
export type TestSubjects = Awaited<ReturnType<typeof makeSubjects>>;

let created = 0;
const jobs = new Map<number, string>();

/** One per workspace: no worker takes them, and few may wait. */
async function jobOf(scope: WorkspaceScope): Promise<string> {
  const known = jobs.get(scope.workspacePk);
  if (known !== undefined) return known;
  const started = await startBulkJob(scope, [{ url: "https://example.com/" }], undefined);
  if (!started.ok) throw new Error("No bulk job could be started");
  jobs.set(scope.workspacePk, started.job.id);
  return started.job.id;
}

export async function makeSubjects(scope: WorkspaceScope) {
  created += 1;
  const [outcome] = await createLinks(scope, [
    { url: "https://example.com/", key: `thing-${created}`, externalId: `external-${created}` },
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const tag = await createTag(scope, { name: `Tag ${created}` });
  const folder = await createFolder(scope, { name: `Folder ${created}`, accessLevel: null });
  const { apiKey } = await createApiKey(scope, { name: `Key ${created}` });
  const utm = await createUtmTemplate(scope, { name: `Template ${created}` });
  const qrTemplate = await createTemplate(scope, {
    name: `Template ${created}`,
    design: plainDesign,
    isDefault: false,
  });
  const qrLogo = await storeLogo(scope, await makePng(created));
  const socialImage = await storeSocialImage(scope, await makePng(created));
  const [entry] = await listAudit(scope, { pageSize: 1 });
  const campaign = await createCampaign(scope, campaignBody({ name: `Campaign ${created}` }));
  await addOptOuts(scope, { phones: [`+86138${String(90_000_000 + created)}`] });
  const [optOut] = await listOptOuts(scope, { pageSize: 1 });
  const gateway = await createGateway(scope, {
    name: `Gateway ${created}`,
    settings: { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100" },
    secret: `secret-${created}`,
    rate: 10,
  });
  const webhook = await webhookOf(scope);
  const domain = `things-${created}.example`;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${scope.workspacePk}, ${domain}, now())`);
  return {
    link: outcome.link.id,
    key: outcome.link.key,
    shortLink: outcome.link.shortLink,
    shortDomain: outcome.link.domain,
    externalId: `external-${created}`,
    tag: tag.id,
    tagName: tag.name,
    folder: folder.id,
    apiKey: apiKey.id,
    utm: utm.id,
    qrTemplate: qrTemplate.id,
    qrLogo: qrLogo.id,
    socialImage: socialImage.id,
    job: await jobOf(scope),
    ...(await importsOf(scope)),
    campaign: campaign.id,
    gateway: gateway.id,
    wechatAccount: (await wechatAccountOf(scope)).id,
    webhook: webhook.id,
    ...(await convertedOf(scope, outcome.link.id)),
    ...(await answeredOf(scope, outcome.link.id)),
    event: await eventOf(webhook.id),
    otherCampaign: (await createCampaign(scope, campaignBody())).id,
    ...(await sourcesOf(scope, campaign.id)),
    optOut: String(optOut?.id),
    entry: String(entry?.id),
    user: String(scope.userId),
    workspace: scope.workspaceId,
    otherWorkspace: await makeWorkspace(scope),
    domain,
  };
}

function wechatAccountOf(scope: WorkspaceScope) {
  const appId = `wx${String(created).padStart(16, "0")}`;
  const secret = "0123456789abcdefABCDEF0123456789";
  return createWechatAccount(scope, { kind: "miniProgram", name: "Shop", appId, secret });
}

/** A click of an hour ago on the link, a customer who came with it, and the public key of a site. */
async function convertedOf(scope: WorkspaceScope, link: string) {
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
  const hosts = ["shop.example"];
  const publicKey = await createTrackingKey(scope, { name: `Shop ${created}`, hosts });
  return { click: clickId, customer: String(customer?.id), publicKey: publicKey.id };
}

/** A form, and a contact who answered another one on the link. */
async function answeredOf(scope: WorkspaceScope, link: string) {
  const body = {
    title: "Call me",
    fields: [{ type: "phone" }],
    consent: "You call me.",
    controller: "Acme",
    privacyUrl: "https://acme.example/privacy",
    published: true,
  };
  const make = (name: string) => createForm(scope, newForm.parse({ name, ...body }));
  const form = await make(`Form ${created}`);
  const answered = await make(`Answered ${created}`);
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
      phone: `+1202555${String(created % 10_000).padStart(4, "0")}`,
      email: null,
      name: null,
    },
    given: [],
    marketing: false,
    language: "en",
    country: "US",
  });
  return { form: form.id, contact: presentId("con", contact) };
}

function webhookOf(scope: WorkspaceScope) {
  const fields = { name: `Webhook ${created}`, url: "https://example.com/hook" };
  return createWebhook(scope, createWebhookBody.parse({ ...fields, events: ["link.created"] }));
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
async function importsOf(scope: WorkspaceScope): Promise<{ import: string; importer: string }> {
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

/** Each number has its own image. */
async function makePng(number: number): Promise<Buffer> {
  const background = { r: number % 256, g: number >> 8, b: 0 };
  return await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Missing ids of the same form. */
export function missingThings(): TestSubjects {
  created += 1;
  return {
    link: newId("link"),
    key: `missing-${created}`,
    shortLink: `${origin}/missing-${created}`,
    shortDomain: "localhost",
    externalId: `missing-${created}`,
    tag: newId("tag"),
    tagName: `Missing ${created}`,
    folder: newId("fold"),
    apiKey: newId("key"),
    utm: newId("utm"),
    qrTemplate: newId("qrt"),
    qrLogo: newId("qrl"),
    socialImage: newId("img"),
    job: newId("job"),
    import: newId("imp"),
    importer: newId("impr"),
    campaign: newId("camp"),
    gateway: newId("gw"),
    wechatAccount: newId("wxa"),
    webhook: newId("wh"),
    click: `${Date.now() - 3_600_000}-${newUuid()}`,
    customer: newId("cus"),
    form: newId("form"),
    contact: newId("con"),
    publicKey: newId("pk"),
    event: newId("evt"),
    otherCampaign: newId("camp"),
    source: newId("src"),
    readySource: newId("src"),
    waitingSource: newId("src"),
    optOut: newId("opt"),
    entry: newId("aud"),
    user: newId("user"),
    workspace: newId("ws"),
    otherWorkspace: newId("ws"),
    domain: `missing-${created}.example`,
  };
}

/** Another workspace of the same person. */
async function makeWorkspace(scope: WorkspaceScope): Promise<string> {
  const slug = `other-${created}-of-${scope.slug}`.slice(0, 48);
  const outcome = await setUpWorkspace(String(scope.userId), { name: slug, slug });
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.workspace.id;
}
