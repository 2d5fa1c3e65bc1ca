/**
 * Webhooks: events of a workspace, posted to its programs.
 *
 *     change ──▶ webhook_outbox ──route──▶ webhook_event, webhook_delivery ──deliver──▶ delivered
 *               (its transaction)          one delivery per webhook           └ fails ─▶ again, for 3 days ─▶ failed
 *
 * Each event is delivered at least once, always with the same id and body. Only what contacts entered is read anew for
 * each attempt, so that later attempts leave out erased people. Everything waits in PostgreSQL, so a receiver that is down
 * costs no memory and loses nothing.
 */
import { newId } from "#lib/basics/ids";
import { hourMs } from "#lib/basics/time/schema";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError, assertRoom, type ProblemCode } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import { isAllowedUrl } from "#lib/platform/safe-fetch";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { privateNetworksOf } from "#lib/tenancy/instance-rules";
import { webhooksEntry } from "#lib/tenancy/webhook-events";
import { singleClicks, type WebhookEventType } from "#lib/tenancy/webhook-events/schema";
import { bodyOf } from "./bodies.ts";
import { sampleOf } from "./event-kinds.ts";
import {
  canSign,
  createWebhookBody,
  type EditWebhook,
  isChat,
  type NewSubscription,
  type NewWebhook,
  type Webhook,
  type WebhookFormat,
  type WebhookSample,
} from "./schema.ts";
import { changedSecrets, newSecret, sealSecrets, shownUrl, unsealSecrets } from "./secrets.ts";
import {
  countRows,
  deleteRow,
  getRow,
  insertWebhook,
  listRows,
  updateWebhook,
  type WebhookFields,
  type WebhookRow,
} from "./store.ts";

export { findDelivery, listDeliveries, resendDelivery, sendTestEvent } from "./deliveries.ts";
export { webhookJobs } from "./delivery-jobs.ts";
export { webhookColumn } from "./secrets.ts";

export const webhooksMax = 1_000;
const subscriptionNameCharsMax = 100;

export async function listWebhooks(scope: WorkspaceScope): Promise<Webhook[]> {
  assertMay(scope, "webhooks.read");
  return (await listRows(scope.workspacePk)).map((row) => present(scope, row));
}

export async function getWebhook(scope: WorkspaceScope, id: string): Promise<Webhook> {
  assertMay(scope, "webhooks.read");
  return present(scope, await getRow(scope, id));
}

export async function createWebhook(scope: WorkspaceScope, body: NewWebhook): Promise<Webhook> {
  assertMay(scope, "webhooks.write");
  await assertUrl(scope, body.url);
  assertFits(body);
  assertPeople(scope, body);
  const { workspacePk, actor, userPk } = scope;
  const id = newId("wh");
  const current = isChat(body.format) ? (body.signingSecret ?? "") : newSecret();
  const sealed = sealSecrets(id, { current, previous: null });
  const fields = { ...columnsOf(body), sealed, previous_until: null, state: "active" };
  const row = await changeWebhooks(workspacePk, async (tx) => {
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), webhooksMax, "webhooks", {
      problem: "webhooks_full",
    });
    const created = await insertWebhook(tx, { id, workspacePk, userPk }, fields);
    if (!created) throw new Error("A webhook was not inserted");
    const url = shownUrl(body.format, body.url);
    const details = { name: body.name, url, events: body.events };
    await recordAudit(tx, [{ workspacePk, actor, action: "webhook.create", subject: id, details }]);
    return created;
  });
  return present(scope, row);
}

/** Automation services subscribe like this: one webhook per event, named after their server. */
export async function subscribe(
  scope: WorkspaceScope,
  { targetUrl: url, event }: NewSubscription,
): Promise<Webhook> {
  const name = new URL(url).host.slice(0, subscriptionNameCharsMax) || "Subscription";
  return await createWebhook(scope, createWebhookBody.parse({ name, url, events: [event] }));
}

/** A sample request of the format `standard`, for services that show it before the first event. */
export function listSamples(scope: WorkspaceScope, type: WebhookEventType): WebhookSample[] {
  assertMay(scope, "webhooks.read");
  const data = sampleOf(scope, type, undefined);
  const event = { pk: 0, id: newId("evt"), type, link_id: null, data, at: new Date() };
  const filter = { id: "", events: [type], domains: [], folder_ids: [], tag_ids: [] };
  return [JSON.parse(bodyOf({ ...filter, chosen_links: false }, "standard", event))];
}

/** Tells other processes about the change, because it decides whether new links become events. */
async function changeWebhooks<T>(
  workspacePk: number,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  const { result, changes } = await transaction(async (tx) => {
    const done = await work(tx);
    const entry = { entry: webhooksEntry(workspacePk), revision: await takeRevision(tx) };
    await recordChanges(tx, [entry]);
    return { result: done, changes: [entry] };
  });
  await publishChanges(changes);
  return result;
}

function columnsOf(body: NewWebhook) {
  const { folderIds, tagIds, chosenLinks, signingSecret: _, ...same } = body;
  return { ...same, folder_ids: folderIds, tag_ids: tagIds, chosen_links: chosenLinks };
}

export async function editWebhook(
  scope: WorkspaceScope,
  id: string,
  body: EditWebhook,
): Promise<Webhook> {
  assertMay(scope, "webhooks.write");
  if (body.url !== undefined) await assertUrl(scope, body.url);
  const { workspacePk, actor } = scope;
  const row = await changeWebhooks(workspacePk, async (tx) => {
    const before = await getRow(scope, id, tx);
    const fields = editedFields(before, body);
    assertFits({ ...fields, signingSecret: body.signingSecret });
    assertPeople(scope, before);
    assertPeople(scope, fields);
    const details = auditedChanges(before, fields);
    if (Object.keys(details).length === 0) return before;
    await recordAudit(tx, [{ workspacePk, actor, action: "webhook.edit", subject: id, details }]);
    const isResumed = fields.state === "active" && before.state !== "active";
    return (await updateWebhook(tx, before.pk, fields, isResumed)) ?? before;
  });
  return present(scope, row);
}

function editedFields(before: WebhookRow, body: EditWebhook) {
  return {
    ...changedSecrets(before, body),
    name: body.name ?? before.name,
    url: body.url ?? before.url,
    format: body.format ?? before.format,
    events: body.events ?? before.events,
    domains: body.domains ?? before.domains,
    folder_ids: body.folderIds ?? before.folder_ids,
    tag_ids: body.tagIds ?? before.tag_ids,
    chosen_links: body.chosenLinks ?? before.chosen_links,
    people: body.people ?? before.people,
    ordered: body.ordered ?? before.ordered,
    language: body.language ?? before.language,
    state: body.state ?? before.state,
  };
}

function auditedChanges(before: WebhookRow, after: WebhookFields): Record<string, unknown> {
  const { url, ...changes } = changesOf(auditedOf(before), auditedOf(after));
  const isHidden = isChat(before.format) || isChat(after.format);
  return {
    ...changes,
    ...(url === undefined ? {} : { url: isHidden ? true : url }),
    ...(before.sealed.equals(after.sealed) ? {} : { secret: true }),
  };
}

function auditedOf(fields: WebhookFields) {
  const { name, url, format, events, domains, folder_ids, tag_ids, chosen_links } = fields;
  const { people, ordered, language, state } = fields;
  const filters = { domains, folder_ids, tag_ids, chosen_links };
  return { name, url, format, events, ...filters, people, ordered, language, state };
}

/** Requests are signed with both secrets for some hours. The answer has the new one. */
export async function rotateSecret(
  scope: WorkspaceScope,
  id: string,
  overlapHours: number,
): Promise<Webhook> {
  assertMay(scope, "webhooks.write");
  const { workspacePk, actor } = scope;
  const row = await transaction(async (tx) => {
    const before = await getRow(scope, id, tx);
    if (isChat(before.format)) {
      const message = "The secret of a chat comes from its robot. Update `signingSecret` instead.";
      throw refused("webhook_chat", message);
    }
    const { current: previous } = unsealSecrets(before);
    const sealed = sealSecrets(id, { current: newSecret(), previous });
    const previousUntil = new Date(Date.now() + overlapHours * hourMs);
    const fields = { ...before, sealed, previous_until: previousUntil };
    const details = { overlapHours };
    await recordAudit(tx, [{ workspacePk, actor, action: "webhook.rotate", subject: id, details }]);
    return (await updateWebhook(tx, before.pk, fields, false)) ?? before;
  });
  return present(scope, row);
}

/** Its waiting events are not delivered. */
export async function deleteWebhook(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "webhooks.write");
  const { workspacePk, actor } = scope;
  await changeWebhooks(workspacePk, async (tx) => {
    const row = await getRow(scope, id, tx);
    await deleteRow(tx, row.pk);
    const details = { name: row.name };
    await recordAudit(tx, [{ workspacePk, actor, action: "webhook.delete", subject: id, details }]);
  });
  return { id };
}

function present(scope: WorkspaceScope, row: WebhookRow): Webhook {
  const { id, name, url, format, events, domains, ordered, language, state, waiting } = row;
  const mayWrite = scope.permissions.has("webhooks.write");
  const { current } = unsealSecrets(row);
  return {
    id,
    name,
    url: mayWrite ? url : shownUrl(format, url),
    format,
    events: events as Webhook["events"],
    domains,
    folderIds: row.folder_ids,
    tagIds: row.tag_ids,
    chosenLinks: row.chosen_links,
    people: row.people,
    ordered,
    language,
    secret: mayWrite && !isChat(format) ? current : null,
    signed: current !== "",
    state,
    disabledReason: state === "disabled" ? row.disabled_reason : null,
    failingSince: row.failing_since?.toISOString() ?? null,
    waiting,
    dropped: row.dropped,
    createdAt: row.created_at.toISOString(),
  };
}

/** Only https, except in opened networks, because events name people's links and their clicks. */
async function assertUrl({ workspacePk }: WorkspaceScope, text: string): Promise<void> {
  const networks = await privateNetworksOf(workspacePk);
  // defence: webhook-public-url
  if (isAllowedUrl(new URL(text), { networks })) return;
  const message =
    "url: Use an https URL of a public server. The administrator of this instance can open private networks for a workspace.";
  throw refused("webhook_url", message);
}

function refused(problem: ProblemCode, message: string): AppError {
  return new AppError("unprocessable_entity", message, { problem });
}

interface FormatTerms {
  format: WebhookFormat;
  events: readonly string[];
  people: boolean;
  signingSecret?: string | null | undefined;
}

function assertFits({ format, events, people, signingSecret }: FormatTerms): void {
  if (isChat(format) && singleClicks.some((type) => events.includes(type))) {
    const message = `events: Chats get numbers of clicks. Use link.clicks instead of ${singleClicks.join(" and ")}.`;
    throw refused("webhook_clicks", message);
  }
  if (people && isChat(format)) {
    const message = "people: Chats get no phones, email addresses and names. Turn it off.";
    throw refused("webhook_people", message);
  }
  if (signingSecret && !canSign(format)) {
    const message = "signingSecret: Only dingtalk and feishu have one. Remove it.";
    throw refused("webhook_signing", message);
  }
}

/** A person who decides where people's data is sent must be allowed to see it. */
function assertPeople(scope: WorkspaceScope, { people }: { people: boolean }): void {
  // defence: webhook-people-need-permission
  if (people) assertMay(scope, "people.view");
}

/** Test instances may use addresses of this machine. */
