/** A change of FUXI_SESSION_SECRET: each start and each command here has secrets of its own. */
import { beforeAll, expect, test, vi } from "vitest";
import { createShare } from "#lib/analytics/shares";
import { newShare, shareParts } from "#lib/analytics/shares/schema";
import { beginFactor } from "#lib/identity/second-factor";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { optOutUrl } from "#lib/outreach/opt-out-links";
import { createWebhook } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { assertCodeKey, assertSecret } from "#lib/platform/instance";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createImporter } from "#lib/transfer/importers";
import { newImporterBody } from "#lib/transfer/importers/schema";
import { run } from "../../../scripts/processes.ts";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { uploadText } from "../../../test/sources.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();

/** The secret of test/stores.ts. */
const first = "0".repeat(64);
const second = "1".repeat(64);
const third = "2".repeat(64);

const [person] = recipientRows(1, 70_000);
let ada: WorkspaceScope;
let campaignId = "";
let sourceId = "";
let gatewayId = "";
let webhookId = "";
let webhookSecret: string | null = null;
/** In a message that was sent with the first secret. */
let token = "";

beforeAll(async () => {
  await openLinks();
  await assertCodeKey();
  await assertSecret();
  ada = await makeTestScope("ada");
  campaignId = (await createCampaign(ada, campaignBody())).id;
  await addRecipients(ada, campaignId, [person]);
  sourceId = (await uploadText(ada, campaignId, "phone\n13812340001\n")).id;
  const settings = { kind: "http", url: "https://sms.example.com/", format: "form", body: "x=1" };
  const body = createGatewayBody.parse({ name: "Any", secret: "s3cret", settings });
  gatewayId = (await createGateway(ada, body)).id;
  const hook = { name: "CRM", url: "https://example.com/hook", events: ["link.created"] };
  const webhook = await createWebhook(ada, createWebhookBody.parse(hook));
  webhookId = webhook.id;
  webhookSecret = webhook.secret;
  await transaction((tx) => beginFactor(tx, ada.userPk ?? 0));
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
  await createImporter(ada, newImporterBody.parse({ system: "dub", token: "t" }));
  await createShare(
    { ...ada, confirmed: true },
    newShare.parse({ name: "All", kind: "workspace", parts: [...shareParts] }),
  );
  const [row] = await query<{ id: string }>(sql`SELECT id FROM campaign_recipient`);
  token = new URL(optOutUrl(String(row?.id))).searchParams.get("t") ?? "";
});

/** Work with modules that read these secrets at their start, as another process would. */
async function withSecrets<T>(secrets: readonly string[], work: () => Promise<T>): Promise<T> {
  const [secret, ...previous] = secrets;
  vi.resetModules();
  const before = { ...process.env };
  process.env["FUXI_SESSION_SECRET"] = secret;
  process.env["FUXI_SESSION_SECRET_PREVIOUS"] = previous.join();
  const { closePostgres } = await import("#lib/platform/postgres");
  try {
    return await work();
  } finally {
    await closePostgres();
    process.env = before;
  }
}

/** What a process with these secrets reads. */
function startWith(...secrets: string[]) {
  return withSecrets(secrets, async () => {
    const checks = await import("#lib/platform/instance");
    const started = await checks.assertSecret().then(
      () => true,
      (error: Error) => error.message,
    );
    return { started, read: await readAll().catch((error: Error) => error.message) };
  });
}

async function readAll() {
  const campaigns = await import("#lib/outreach/campaigns");
  const accounts = await import("#lib/outreach/gateway-accounts");
  const sources = await import("#lib/outreach/sources");
  const optOuts = await import("#lib/outreach/opt-out-links");
  const webhooks = await import("#lib/outreach/webhooks");
  const [recipient] = await campaigns.listRecipients(
    ada,
    campaignId,
    listRecipientsQuery.parse({}),
  );
  const { rows } = await sources.previewSource(ada, sourceId);
  return {
    phone: recipient?.phone,
    fileRow: rows[0]?.phone,
    receiptUrl: (await accounts.getGateway(ada, gatewayId)).receiptUrl !== null,
    optOut: (await optOuts.findOptOutSender(token)) !== undefined,
    webhook: (await webhooks.getWebhook(ada, webhookId)).secret === webhookSecret,
  };
}

const readable = {
  started: true,
  read: {
    phone: person?.phone,
    fileRow: "+8613812340001",
    receiptUrl: true,
    optOut: true,
    webhook: true,
  },
};

/** A command of the command line with these secrets. */
function fuxi(secrets: readonly string[], ...args: string[]) {
  return withSecrets(secrets, async () => {
    const { runFuxi } = await import("../../../scripts/fuxi-commands.ts");
    return await runFuxi(args, (work) => work());
  });
}

/** The program itself, as an administrator starts it. */
function start([secret, ...previous]: readonly string[], ...args: string[]) {
  const env = {
    FUXI_SESSION_SECRET: secret,
    FUXI_SESSION_SECRET_PREVIOUS: previous.join(),
  };
  return run(process.execPath, ["--import", "tsx", "scripts/fuxi.ts", ...args], { env });
}

/** The rows of each table that were sealed again. */
function resealedIn(stdout: string): Record<string, number> {
  const tables: { table: string; resealed: number }[] = JSON.parse(stdout);
  return Object.fromEntries(tables.map((one) => [one.table, one.resealed]));
}

const reseal = ["secret", "reseal", "--json"] as const;

test("another secret without the earlier one is refused at start, and reads nothing", async () => {
  expect(await startWith(first)).toEqual(readable);
  const { started, read } = await startWith(second);
  expect(started).toMatch(/FUXI_SESSION_SECRET doesn’t match this database.*_PREVIOUS/s);
  expect(read).toMatch(/unable to authenticate/i);
});

test("with the earlier secret everything is readable, and sealed again it is not needed any more", async () => {
  expect(await startWith(second, first)).toEqual(readable);
  const { code, stdout, stderr } = await start([second, first], ...reseal);
  expect([stderr, code]).toEqual(["", 0]);
  expect(resealedIn(stdout)).toEqual({
    factor_undo: 0,
    session: 0,
    sso_provider: 0,
    former_key: 0,
    people_key: 2,
    sms_gateway: 1,
    wechat_account: 0,
    recipient_source: 1,
    webhook: 1,
    app_user: 1,
    share: 1,
    importer: 1,
    importer_page: 0,
  });
  const again = await fuxi([second, first], ...reseal);
  expect(Object.values(resealedIn(again.stdout))).toEqual(Array(13).fill(0));
  expect(await startWith(second)).toEqual(readable);
  expect((await startWith(first)).started).toMatch("doesn’t match");
  const entries = await query<{ actor: string }>(
    sql`SELECT actor FROM audit WHERE action = 'operator.reseal_secrets'`,
  );
  expect(entries).toEqual([{ actor: "system" }, { actor: "system" }]);
});

test("an address in a message that was sent opens after two changes", async () => {
  const { code, stdout } = await fuxi([third, second], ...reseal);
  // One for opt-outs, and one for email reports.
  expect([code, resealedIn(stdout)["former_key"]]).toEqual([0, 2]);
  expect(await startWith(third)).toEqual(readable);
});

test("what a lost secret has sealed is named, stops the change, and can be given up", async () => {
  const lost = await fuxi([first, second], ...reseal);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/2 of people_key.*secret forget/s);
  expect((await startWith(first)).started).toMatch("doesn’t match");
  const { code } = await fuxi([first], "secret", "forget");
  expect(code).toBe(0);
  const { started, read } = await startWith(first);
  expect(started).toBe(true);
  expect(read).toMatch(/unable to authenticate/i);
});
