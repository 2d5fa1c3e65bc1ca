import { beforeAll, beforeEach, expect, test } from "vitest";
import { eraseDue, maintainRollups } from "#lib/analytics/rollups";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  deleteWorkspace,
  graceDays,
  openWorkspace,
  restoreWorkspace,
} from "#lib/tenancy/workspaces";
import { putClicks } from "../../../test/clicks.ts";
import { make } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { removeWorkspaces } from "./index.ts";
import { markRemoving } from "./store.ts";

openTestStores();

const daySeconds = 86_400;
const overSeconds = graceDays * daySeconds;
let created = 0;
let tables: string[] = [];

beforeAll(async () => {
  openCoherence();
  await openLinks();
  await maintainRollups();
  const rows = await query<{ name: string }>(sql`
    SELECT format('%I.%I', spaces.nspname, class.relname) AS name
    FROM pg_attribute AS field
    JOIN pg_class AS class ON class.oid = field.attrelid
    JOIN pg_namespace AS spaces ON spaces.oid = class.relnamespace
    WHERE field.attname = 'workspace_pk'
      AND class.relkind IN ('r', 'p')
      AND NOT class.relispartition
      AND spaces.nspname IN ('public', 'analytics')
    ORDER BY name`);
  tables = rows.map(({ name }) => name);
});

beforeEach(() => query(sql`DELETE FROM workspace WHERE deleted_at IS NOT NULL`));

/** Number of rows of a workspace in every table. */
async function rowsOf({ workspacePk }: WorkspaceScope): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM ${table} WHERE workspace_pk = $1`,
      values: [workspacePk],
    });
    counts[table] = row?.n ?? 0;
  }
  return counts;
}

async function linksOf({ workspacePk }: WorkspaceScope): Promise<number[]> {
  const rows = await query<{ pk: number }>(sql`
    SELECT pk FROM link WHERE workspace_pk = ${workspacePk} ORDER BY pk`);
  return rows.map(({ pk }) => pk);
}

/** Ten and the root link of a domain. */
const linksFilled = 11;

/** A workspace with a row in every tenant table, and these links. */
async function fill(): Promise<WorkspaceScope> {
  created += 1;
  const scope = await makeTestScope(`tenant${created}`);
  const { workspacePk, userPk } = scope;
  await createApiKey(scope, { name: "Key" });
  const host = `tenant${created}.example`;
  await createDomain(scope, createDomainBody.parse({ slug: host }));
  await make(scope, [{ url: "https://a.example/", key: `chosen-${created}` }]);
  await make(
    scope,
    Array.from({ length: 9 }, (_, at) => ({ url: `https://a.example/${at}` })),
  );
  const [first = 0, ...others] = await linksOf(scope);
  const from = new Date(Date.now() - daySeconds * 1_000);
  const links = { first, count: 1 };
  await putClicks({ workspacePk, count: 20, from, until: new Date(), links });
  const [tag] = await query<{ pk: number }>(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES (${`tag_${created}`}, ${workspacePk}, 'T', 'red') RETURNING pk`);
  await query(sql`INSERT INTO link_tag (link_pk, tag_pk) VALUES (${first}, ${tag?.pk})`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name) VALUES (${`fold_${created}`}, ${workspacePk}, 'F')`);
  await query(sql`
    INSERT INTO link_reputation (link_pk, url_hash, url) VALUES (${first}, '', 'https://example.com/')`);
  await query(sql`
    INSERT INTO link_external_id (workspace_pk, external_id, link_pk)
    VALUES (${workspacePk}, 'e', ${first})`);
  await query(sql`INSERT INTO link_allowance (link_pk, used, granted) VALUES (${first}, 1, 1)`);
  await query(sql`
    INSERT INTO deleted_link (link_pk, workspace_pk, link_id, actor, link, tag_pks, searched)
    VALUES (${2_000_000 + created}, ${workspacePk}, gen_random_uuid(), 'u', '{}', '{}', false)`);
  await query(sql`
    INSERT INTO share (id, workspace_pk, name, kind, parts, token_hash, made_by)
    VALUES (${`share_${created}`}, ${workspacePk}, 'S', 'workspace', '{}', ${`t${created}`}, 'user_x')`);
  await query(sql`INSERT INTO traffic_alert (workspace_pk) VALUES (${workspacePk})`);
  await query(sql`
    INSERT INTO report_subscription (id, workspace_pk, kind, frequency, locale, next_at)
    VALUES (${`rep_${created}`}, ${workspacePk}, 'workspace', 'daily', 'en', now())`);
  await query(sql`
    INSERT INTO invitation (id, workspace_pk, role, hash, invited_by, expires_at)
    VALUES (${`inv_${created}`}, ${workspacePk}, 'viewer', ${Buffer.from(`${created}`)}, 'u', now())`);
  await query(sql`
    INSERT INTO plan_warning (workspace_pk, subject, period, level)
    VALUES (${workspacePk}, 'links', '2026-01-01', 70)`);
  await query(sql`
    INSERT INTO plan_payment
      (id, workspace_pk, kind, plan, reference, amount, currency, outcome)
    VALUES (${`pay_${created}`}, ${workspacePk}, 'manual', 'free', ${`${created}`}, '1', 'EUR', 'applied')`);
  await query(sql`
    INSERT INTO billing_account (workspace_pk, customer_id)
    VALUES (${workspacePk}, ${`cus_${created}`})`);
  await query(sql`
    INSERT INTO social_image (id, workspace_pk, hash, jpeg, width, height)
    VALUES (${`img_${created}`}, ${workspacePk}, 'h', '', 1, 1)`);
  const [logo] = await query<{ pk: number }>(sql`
    INSERT INTO qr_logo (id, workspace_pk, hash, png, width, height)
    VALUES (${`logo_${created}`}, ${workspacePk}, 'h', '', 1, 1) RETURNING pk`);
  await query(sql`
    INSERT INTO qr_template (id, workspace_pk, name, design, logo_pk)
    VALUES (${`qr_${created}`}, ${workspacePk}, 'Q', '{}', ${logo?.pk})`);
  await query(sql`
    INSERT INTO quota_use (workspace_pk, name, month, used)
    VALUES (${workspacePk}, 'links', '2026-01-01', 1) ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO bulk_job (id, workspace_pk, user_pk, digest, request, total, body)
    VALUES (${`job_${created}`}, ${workspacePk}, ${userPk}, gen_random_uuid(), gen_random_uuid(), 1,
      '')`);
  await query(sql`
    INSERT INTO refused_job (id, workspace_pk, actor, reason, cursor_id, finished_at)
    VALUES (${`job_refused_${created}`}, ${workspacePk}, 'system', 'Phishing', gen_random_uuid(), now())`);
  await query(sql`
    INSERT INTO saved_view (id, workspace_pk, user_pk, name, search, shared)
    VALUES (${`view_${created}`}, ${workspacePk}, ${userPk}, 'V', '', true)`);
  await query(sql`
    INSERT INTO destination_list (workspace_pk, kind, revision)
    VALUES (${workspacePk}, 'block', 1)`);
  await query(sql`
    INSERT INTO sso_provider
      (id, workspace_pk, name, issuer, client_id, sealed, scope, groups_claim, default_role)
    VALUES (${`sso_${created}`}, ${workspacePk}, 'P', 'https://id.example', 'c', '', 'openid', 'groups', 'member')`);
  await query(sql`
    INSERT INTO people_key (workspace_pk, version, sealed) VALUES (${workspacePk}, 0, '')`);
  await query(sql`
    INSERT INTO customer (id, workspace_pk, external_hash, key_version, sealed, click_at, click_id)
    SELECT ${`cus_${created}_`} || number, ${workspacePk}, decode(lpad(number::text, 4, '0'), 'hex'), 1, '',
      now(), gen_random_uuid()
    FROM generate_series(1, 6) AS number`);
  const [form] = await query<{ pk: number }>(sql`
    INSERT INTO form (id, workspace_pk, revision, name, version, content, personal)
    VALUES (${`form_${created}`}, ${workspacePk}, 1, 'F', 1, '{}', true)
    RETURNING pk`);
  await query(sql`
    INSERT INTO contact (id, workspace_pk, person_hash, key_version, sealed, marketing, answered_at)
    SELECT gen_random_uuid(), ${workspacePk}, decode(lpad(number::text, 4, '0'), 'hex'), 1, '', false, now()
    FROM generate_series(1, 6) AS number`);
  await query(sql`
    INSERT INTO contact_answer (
      id, workspace_pk, contact_pk, form_pk, form_version, at, marketing, language, key_version, sealed)
    SELECT gen_random_uuid(), ${workspacePk}, pk, ${form?.pk}, 1, now(), false, 'en', 1, ''
    FROM contact
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO phone_code (
      id, workspace_pk, form_pk, form_version, link_pk, phone_hash, key_version, sealed, language, due_at, asked_at,
      expires_at)
    VALUES (gen_random_uuid(), ${workspacePk}, ${form?.pk}, 1, 1, '', 1, '', 'en', now(), now(), now())`);
  await query(sql`
    INSERT INTO phone_code_hour (workspace_pk, country, hour, asked)
    VALUES (${workspacePk}, 'CN', now(), 1)`);
  await query(sql`
    INSERT INTO tracking_key (id, workspace_pk, name, key, hosts)
    VALUES (${`pk_${created}`}, ${workspacePk}, 'K', ${`fuxi_pk_${created}`}, '{}')`);
  await query(sql`
    INSERT INTO opt_out (id, workspace_pk, phone_hash)
    VALUES (${`opt_${created}`}, ${workspacePk}, ${Buffer.from(`${created}`)})`);
  const [campaign] = await query<{ pk: number }>(sql`
    INSERT INTO campaign (
      id, workspace_pk, user_pk, name, kind, link_scheme, default_country, columns, variants,
      destination, link, people_days)
    VALUES (${`camp_${created}`}, ${workspacePk}, ${userPk}, 'C', 'service', true, 'CN', '[]', '[]',
      '', '{}', 1)
    RETURNING pk`);
  await query(sql`
    INSERT INTO campaign_recipient (campaign_pk, position, id, workspace_pk, message_id, state)
    SELECT ${campaign?.pk}, position, gen_random_uuid(), ${workspacePk}, position::text, 'refused'
    FROM generate_series(1, 6) AS position`);
  const [account] = await query<{ pk: number }>(sql`
    INSERT INTO wechat_account (id, workspace_pk, kind, name, app_id, sealed)
    VALUES (${`wxa_${created}`}, ${workspacePk}, 'miniProgram', 'M', 'wx', '')
    RETURNING pk`);
  await query(sql`
    INSERT INTO wechat_code (
      id, workspace_pk, account_pk, contact_pk, form_pk, form_version, link_pk, is_new, profile, key_version, sealed,
      due_at, valid_until, expires_at)
    SELECT gen_random_uuid(), ${workspacePk}, ${account?.pk}, pk, ${form?.pk}, 1, 1, true, true, 1, '', now(), now(), now()
    FROM contact
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO contact_wechat (id, workspace_pk, contact_pk, app_id, openid_hash, key_version, sealed, at)
    SELECT gen_random_uuid(), ${workspacePk}, pk, 'wx', person_hash, 1, '', now()
    FROM contact
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO contact_alias (id, workspace_pk, contact_pk, person_hash)
    SELECT gen_random_uuid(), ${workspacePk}, pk, person_hash
    FROM contact
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO wechat_page (workspace_pk, account_pk, path)
    VALUES (${workspacePk}, ${account?.pk}, 'pages/index')`);
  await query(sql`
    INSERT INTO wechat_domain (workspace_pk, account_pk, domain_pk, host)
    SELECT ${workspacePk}, ${account?.pk}, pk, slug
    FROM domain
    WHERE workspace_pk = ${workspacePk}
    LIMIT 1`);
  await query(sql`
    INSERT INTO domain_health (domain_pk, workspace_pk, slug)
    SELECT pk, workspace_pk, slug FROM domain WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO domain_alarm (domain_pk, workspace_pk, slug, app, source, since)
    SELECT pk, workspace_pk, slug, 'wechat', 'visits', '2026-01-01'
    FROM domain
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO missed_day (domain_pk, day, workspace_pk, visits, others, bots, keys)
    SELECT pk, '2026-01-01', workspace_pk, 1, 0, 0, 1
    FROM domain
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO missed_link (domain_pk, day, workspace_pk, key, visits, last_at)
    SELECT domain_pk, day, workspace_pk, 'k', 1, now()
    FROM missed_day
    WHERE workspace_pk = ${workspacePk}`);
  await query(sql`
    INSERT INTO destination_check (workspace_pk, url_hash, url, host, link_pk, visited_at)
    VALUES (${workspacePk}, '\\x00', 'https://example.com/', 'example.com', 1, now())`);
  const [gateway] = await query<{ pk: number }>(sql`
    INSERT INTO sms_gateway (id, workspace_pk, name, settings, sealed, token_hash, rate)
    VALUES (${`gw_${created}`}, ${workspacePk}, 'G', '{}', '', ${Buffer.from(`${created}`)}, 1)
    RETURNING pk`);
  await query(sql`UPDATE form SET gateway_pk = ${gateway?.pk} WHERE pk = ${form?.pk}`);
  await query(sql`
    INSERT INTO campaign_sending
      (campaign_pk, workspace_pk, gateway_pk, state, starts_at, rate, next_at)
    VALUES (${campaign?.pk}, ${workspacePk}, ${gateway?.pk}, 'paused', now(), 1, now())`);
  await query(sql`
    INSERT INTO campaign_send (campaign_pk, position, workspace_pk, state, due_at)
    SELECT ${campaign?.pk}, position, ${workspacePk}, 'due', now()
    FROM generate_series(1, 6) AS position`);
  const [source] = await query<{ pk: number }>(sql`
    INSERT INTO recipient_source (id, campaign_pk, workspace_pk, user_pk, name, audience, records, state)
    VALUES (${`src_${created}`}, ${campaign?.pk}, ${workspacePk}, ${userPk}, 'S', 'all', 1, 'ready')
    RETURNING pk`);
  await query(sql`
    INSERT INTO recipient_source_chunk (source_pk, first_row, refusals)
    VALUES (${source?.pk}, 0, '[]')`);
  const [ban] = await query<{ pk: number }>(sql`
    INSERT INTO ban (id, kind, subject, name, workspace_pk, reason, note, actor, revision)
    VALUES (${`ban_${created}`}, 'workspace', ${`ws_${created}`}, 'W', ${workspacePk}, 'spam', 'N', 'system', 1)
    RETURNING pk`);
  await query(sql`
    INSERT INTO ban_recipient (ban_pk, user_pk, workspace_pk, links)
    VALUES (${ban?.pk}, ${userPk}, ${workspacePk}, 0)`);
  await query(sql`
    INSERT INTO link_report (
      workspace_pk, link_id, link_pk, address_hash, reason, text, locale)
    VALUES (${workspacePk}, gen_random_uuid(), ${first}, '', 'spam', '', 'en')`);
  await query(sql`
    INSERT INTO demo_message (id, workspace_pk, phone_hash, key_version, sealed)
    VALUES (gen_random_uuid(), ${workspacePk}, 'h', 1, 's')`);
  await query(sql`
    INSERT INTO search_progress (workspace_pk, floor_id, settled_id, seen_id)
    SELECT ${workspacePk}, id, id, id FROM (SELECT gen_random_uuid() AS id) AS given`);
  await query(sql`
    INSERT INTO retirement_round (workspace_pk, next_at)
    VALUES (${workspacePk}, now())`);
  const [webhook] = await query<{ pk: number }>(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed)
    VALUES (${`wh_${created}`}, ${workspacePk}, 'W', '', 'dub', '{}', '{}', '{}', '{}', false,
      false, '')
    RETURNING pk`);
  await query(sql`
    WITH event AS (
      INSERT INTO webhook_event (id, workspace_pk, type, data)
      SELECT ${`evt_${created}_`} || number, ${workspacePk}, 'link.created', '{}'
      FROM generate_series(1, 6) AS number
      RETURNING pk
    )
    INSERT INTO webhook_delivery (webhook_pk, event_pk)
    SELECT ${webhook?.pk}, pk
    FROM event`);
  await query(sql`
    INSERT INTO webhook_outbox (workspace_pk, events, size)
    VALUES (${workspacePk}, '[]', 0)`);
  await query(sql`
    INSERT INTO annotation (id, workspace_pk, at, text)
    VALUES (${`note_${created}`}, ${workspacePk}, now(), 'N')`);
  await query(sql`
    INSERT INTO list_job (id, workspace_pk, user_pk, filters, change, total, cursor_id)
    VALUES (${`list_${created}`}, ${workspacePk}, ${userPk}, '{}', '{}', 1, gen_random_uuid())`);
  await query(sql`
    INSERT INTO import (
      id, workspace_pk, user_pk, name, bytes, encoding, delimiter, records, width, head, mapping,
      options)
    VALUES (${`imp_${created}`}, ${workspacePk}, ${userPk}, 'I', 1, 'utf-8', ',', 1, 1, '[]', '[]',
      '{}')`);
  await query(sql`
    INSERT INTO importer (id, workspace_pk, user_pk, system, clicks, import_id)
    VALUES (${`impr_${created}`}, ${workspacePk}, ${userPk}, 'dub', true, '')`);
  await query(sql`
    INSERT INTO importer_page (importer_id, number, sealed)
    VALUES (${`impr_${created}`}, 0, '')`);
  await query(sql`
    INSERT INTO utm_template (id, workspace_pk, name) VALUES (${`utm_${created}`}, ${workspacePk}, 'U')`);
  await query(sql`INSERT INTO page_look (workspace_pk, revision) VALUES (${workspacePk}, 1)`);
  await query(sql`
    INSERT INTO takeout (id, workspace_pk, user_pk)
    VALUES (${`out_${created}`}, ${workspacePk}, ${userPk})`);
  await query(sql`
    INSERT INTO notice (workspace_pk, user_pk, kind)
    VALUES (${workspacePk}, ${userPk}, 'takeout.done')`);
  for (const pk of [first, ...others]) {
    await query(sql`
      INSERT INTO link_repeat (workspace_pk, digest, part, request, link_pk, link_id, key)
      VALUES (${workspacePk}, gen_random_uuid(), 0, gen_random_uuid(), ${pk}, gen_random_uuid(),
        'k')`);
    await query(sql`
      INSERT INTO link_reuse (workspace_pk, domain_pk, digest, link_pk)
      VALUES (${workspacePk}, 1, gen_random_uuid(), ${pk})`);
  }
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks) VALUES (${first}, ${workspacePk}, 20)`);
  await query(sql`
    INSERT INTO domain_clearing (domain_pk, workspace_pk, due_at)
    VALUES (${1_000 + created}, ${workspacePk}, now() + interval '1 day')`);
  await query(sql`
    INSERT INTO folder_clearing (folder_pk, workspace_pk, due_at)
    VALUES (${1_000 + created}, ${workspacePk}, now() + interval '1 day')`);
  return scope;
}

/** Deletes a workspace this long ago. */
async function end(scope: WorkspaceScope, secondsAgo = overSeconds + 1): Promise<void> {
  await deleteWorkspace(scope);
  await query(sql`
    UPDATE workspace
    SET deleted_at = now() - ${secondsAgo} * interval '1 second'
    WHERE pk = ${scope.workspacePk}`);
}

/** Both rounds: of existing and of late rows. */
async function erase(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 second'`);
    await eraseDue();
  }
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  );
}

test("no table keeps a row of a removed workspace, and others keep all of theirs", async () => {
  const removed = await fill();
  const stays = await fill();
  const deleted = await fill();
  const filled = await rowsOf(removed);
  const empty = tables.filter((table) => table.startsWith("public.") && filled[table] === 0);
  // A new tenant table needs a row in this test.
  expect(empty).toEqual([]);
  await end(deleted, overSeconds - 60);
  await end(removed);
  const before = [await rowsOf(stays), await rowsOf(deleted)];
  const links = await linksOf(removed);
  expect(await removeWorkspaces(4)).toBeGreaterThan(6);
  expect(await removeWorkspaces(4)).toBe(0);
  await erase();
  const left = Object.entries(await rowsOf(removed)).filter(([, rows]) => rows > 0);
  expect(left).toEqual([]);
  for (const table of ["alias", "link_tag", "link_allowance", "link_search", "analytics.click"]) {
    const text = `SELECT 1 FROM ${table} WHERE link_pk = ANY($1::bigint[])`;
    expect(await query({ text, values: [links] }), table).toEqual([]);
  }
  expect([await rowsOf(stays), await rowsOf(deleted)]).toEqual(before);
  const logged = await query(sql`
    SELECT actor FROM audit
    WHERE action = 'workspace.remove' AND subject = ${removed.workspaceId}`);
  expect(logged).toEqual([{ actor: "system" }]);
});

test("hosts and the slug of a removed workspace are free, and its links are invalidated in every process", async () => {
  const scope = await fill();
  const host = `tenant${created}.example`;
  await end(scope);
  await removeWorkspaces();
  const other = await makeTestScope(`after${created}`);
  await createDomain(other, createDomainBody.parse({ slug: host }));
  expect(await openWorkspace(String(scope.userId), scope.slug)).toBeUndefined();
  // The outbox is empty once everything is published.
  expect(await query(sql`SELECT 1 FROM cache_change`)).toEqual([]);
});

test("a removal that was interrupted at any step continues where it was", async () => {
  for (const steps of [1, 2, 3, 5, 7, 9]) {
    const scope = await fill();
    await end(scope);
    expect(await removeWorkspaces(4, steps)).toBe(steps);
    expect(await codeOf(restoreWorkspace(String(scope.userId), scope.workspaceId))).toBe(
      "not_found",
    );
    await removeWorkspaces(4);
    const left = Object.entries(await rowsOf(scope)).filter(
      ([table, rows]) => table.startsWith("public.") && table !== "public.link_stat" && rows > 0,
    );
    expect(left, `after ${steps} steps`).toEqual([]);
  }
});

test("a step that fails leaves everything unchanged", async () => {
  const scope = await fill();
  await end(scope);
  await removeWorkspaces(4, 1);
  const before = await rowsOf(scope);
  await query(sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
  await query(sql`
    CREATE TRIGGER refuse BEFORE DELETE ON alias FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
  await expect(removeWorkspaces(4)).rejects.toThrow("no");
  await query(sql`DROP TRIGGER refuse ON alias`);
  expect(await rowsOf(scope)).toEqual(before);
  expect(await removeWorkspaces(4)).toBeGreaterThan(0);
});

test("two workers that remove at once subtract nothing twice", async () => {
  const scopes = [await fill(), await fill()];
  for (const scope of scopes) await end(scope);
  await Promise.all([removeWorkspaces(3), removeWorkspaces(3), removeWorkspaces(3)]);
  await removeWorkspaces(3);
  for (const scope of scopes) {
    const logged = await query(sql`
      SELECT 1 FROM audit
      WHERE action = 'workspace.remove' AND subject = ${scope.workspaceId}`);
    expect(logged).toHaveLength(1);
  }
});

test("an undo that began before the mark, and waits for it, gets a 404 and restores nothing", async () => {
  const scope = await fill();
  await end(scope, overSeconds - 60);
  let undo: Promise<string> | undefined;
  await transaction(async (tx) => {
    await query(sql`SELECT FROM workspace WHERE pk = ${scope.workspacePk} FOR UPDATE`, tx);
    undo = codeOf(restoreWorkspace(String(scope.userId), scope.workspaceId));
    await untilWaiting();
    // As written by the job; the undo's clock would still allow a restore.
    await markRemoving(tx, scope.workspacePk);
  });
  expect(await undo).toBe("not_found");
  expect(await openWorkspace(String(scope.userId), scope.slug)).toBeUndefined();
});

test("an undo that commits first keeps everything, whenever the job runs", async () => {
  const scope = await fill();
  const before = await rowsOf(scope);
  await end(scope, overSeconds - 60);
  const [undone] = await Promise.all([
    codeOf(restoreWorkspace(String(scope.userId), scope.workspaceId)),
    removeWorkspaces(),
  ]);
  expect(undone).toBe("ok");
  await removeWorkspaces();
  expect(await linksOf(scope)).toHaveLength(linksFilled);
  // Deletion and restore left an entry each.
  const after = await rowsOf(scope);
  expect(after).toEqual({ ...before, "public.audit": (before["public.audit"] ?? 0) + 2 });
});

test("an undo and a removal in the last millisecond leave the workspace whole or gone", async () => {
  for (const early of [-0.02, -0.005, 0, 0.005, 0.01, 0.02, 0.04]) {
    const scope = await fill();
    await end(scope, overSeconds - early);
    const [undone] = await Promise.all([
      codeOf(restoreWorkspace(String(scope.userId), scope.workspaceId)),
      removeWorkspaces(4),
      removeWorkspaces(4),
    ]);
    if (undone !== "ok") await query(sql`SELECT pg_sleep(0.1)`);
    await removeWorkspaces(4);
    expect((await linksOf(scope)).length, undone).toBe(undone === "ok" ? linksFilled : 0);
    const opened = await openWorkspace(String(scope.userId), scope.slug);
    expect(opened !== undefined, undone).toBe(undone === "ok");
  }
});
