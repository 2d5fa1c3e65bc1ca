/**
 * Changing and deleting links, many of one workspace at once, with their outbox rows and audit rows in one transaction.
 *
 * The rows are locked in the order of their pks before anything is decided, so two edits never wait for each other in a
 * circle and neither undoes what it did not see.
 */
import { type Deed, recordDeeds } from "#lib/audit";
import { type Change, recordChanges, takeRevision } from "#lib/coherence";
import { hiddenFolderPks, readOnlyFolderPks } from "#lib/folders";
import { presentId } from "#lib/ids";
import { type Connection, query, sql, transaction } from "#lib/postgres";
import { targetEntry } from "#lib/targets";
import type { WorkspaceScope } from "#lib/workspaces";
import {
  findCrossedDates,
  findLoop,
  noDomain,
  type Refusal,
  readBody,
  refuse,
  searchText,
} from "./body.ts";
import { claimKeys, dropNames, findTakenName } from "./claims.ts";
import type { FoundLink } from "./find.ts";
import { findRows } from "./find.ts";
import { parseKey } from "./key.ts";
import type { Lookups } from "./lookups.ts";
import { columnsJson, plainColumns } from "./row.ts";
import type { EditLink } from "./schema.ts";
import { updateSearch } from "./search.ts";
import { withParameters } from "./utm.ts";

export type Edited =
  | { ok: true; row: FoundLink; tagPks: number[] | undefined; changed: boolean }
  | Refusal;

export interface Edits {
  /** One for each link that was found, with its id. */
  outcomes: (Edited & { id: string })[];
  published: Change[];
}

/** Changes the links with these ids; ids of no link that the actor can see have no outcome. */
export async function updateRows(
  scope: WorkspaceScope,
  ids: readonly string[],
  body: EditLink,
  lookups: Lookups,
): Promise<Edits> {
  const access = await accessOf(scope);
  return await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, ids, tx));
    const changes: RowChange[] = [];
    const outcomes: Edits["outcomes"] = [];
    for (const before of found) {
      const edited = access.refusal(before) ?? prepareEdit(before, body, lookups);
      if (edited.ok && edited.changed) {
        const taken = await moveName(tx, before, edited.row, body.key ?? before.key);
        if (taken) {
          outcomes.push({ ...taken, id: before.id });
          continue;
        }
        changes.push({ before, after: edited.row, tagPks: edited.tagPks });
      }
      outcomes.push({ ...edited, id: before.id });
    }
    const published = await writeChanges(tx, scope, changes);
    return { outcomes, published };
  });
}

interface Access {
  visible: (rows: readonly FoundLink[]) => FoundLink[];
  refusal: (row: FoundLink) => Refusal | undefined;
}

/** What the actor sees and may change, by the folders that links are in. */
async function accessOf(scope: WorkspaceScope): Promise<Access> {
  const hidden = new Set<number | null>(await hiddenFolderPks(scope));
  const readOnly = new Set<number | null>(await readOnlyFolderPks(scope));
  return {
    visible: (rows) => rows.filter((row) => !hidden.has(row.folder_pk)),
    refusal: (row) =>
      readOnly.has(row.folder_pk)
        ? refuse("folder_forbidden", "You may see the links of this folder, but not change them.")
        : undefined,
  };
}

interface RowChange {
  before: FoundLink;
  after: FoundLink;
  tagPks: number[] | undefined;
}

/** The row as the body wants it. */
function prepareEdit(before: FoundLink, body: EditLink, lookups: Lookups): Edited {
  const loop = findLoop(body, lookups);
  if (loop) return loop;
  const reading = readBody(body, lookups);
  if (!reading.ok) return reading;
  const after: FoundLink = { ...before, ...reading.columns };
  if (body.folderId !== undefined) after.folder_id = body.folderId || null;
  after.url = withParameters(body.url ?? before.url, body, "drop");
  const misnamed = rename(before, after, body, lookups);
  if (misnamed) return misnamed;
  const crossed = findCrossedDates(after);
  if (crossed) return crossed;
  const tagPks = reading.tags?.map(({ pk }) => pk);
  const changed = tagPks !== undefined || changedColumns(before, after).length > 0;
  return { ok: true, row: after, tagPks, changed };
}

/** Gives a row the key and the domain that the body names. */
function rename(
  before: FoundLink,
  after: FoundLink,
  body: EditLink,
  lookups: Lookups,
): Refusal | undefined {
  if (!body.domain && !body.key) return undefined;
  const domain = lookups.domains.get(body.domain ?? "");
  if (!domain) {
    return refuse("domain_unknown", noDomain(body.domain));
  }
  after.domain_pk = domain.pk;
  after.slug = domain.slug;
  if (body.key || domain.pk !== before.domain_pk) {
    const parsed = parseKey(body.key || before.key, domain);
    if (!parsed.ok) return refuse("key_invalid", parsed.message);
    after.key = parsed.key;
  }
  // A generated code stays one on another domain, unless it can no longer be told from its neighbours there.
  after.alias = before.alias || after.key !== before.key || domain.caseInsensitive;
  return undefined;
}

/** Takes the new name of a link and gives up the old one. */
async function moveName(
  tx: Connection,
  before: FoundLink,
  after: FoundLink,
  asked: string,
): Promise<Refusal | undefined> {
  if (after.key === before.key && after.domain_pk === before.domain_pk) return undefined;
  const taken = after.alias
    ? (await claimKeys(tx, [after])).size > 0
    : await findTakenName(tx, after);
  if (taken) {
    return refuse("key_taken", `The key "${asked}" is taken on ${after.slug}. Choose another one.`);
  }
  await dropNames(tx, [before]);
  return undefined;
}

const comparedColumns = ["key", "url", "alias", "domain_pk", ...Object.keys(plainColumns)] as const;

/** The columns in which two rows differ. */
function changedColumns(before: FoundLink, after: FoundLink): string[] {
  const old = new Map(Object.entries(before));
  const wanted = new Map(Object.entries(after));
  return comparedColumns.filter(
    (column) => JSON.stringify(old.get(column)) !== JSON.stringify(wanted.get(column)),
  );
}

async function writeChanges(
  tx: Connection,
  scope: WorkspaceScope,
  changes: readonly RowChange[],
): Promise<Change[]> {
  if (changes.length === 0) return [];
  const revision = await takeRevision(tx);
  const now = new Date();
  for (const { after } of changes) {
    after.revision = revision;
    after.updated_at = now;
  }
  const rows = changes.map(({ after }) => after);
  await writeColumns(tx, rows);
  await replaceTags(tx, changes);
  await updateSearch(
    tx,
    rows.map((row) => ({ pk: row.pk, text: searchText(row) })),
  );
  const entries = new Set(
    changes.flatMap(({ before, after }) => [
      targetEntry(before.domain_pk, before.key),
      targetEntry(after.domain_pk, after.key),
    ]),
  );
  const published = [...entries].map((entry) => ({ entry, revision }));
  await recordChanges(tx, published);
  await recordDeeds(
    tx,
    changes.map((change) => deedOf(scope, change)),
  );
  return published;
}

/** What was changed, so that people can see it and take it back. A password leaves no trace but that it changed. */
function deedOf(scope: WorkspaceScope, { before, after, tagPks }: RowChange): Deed {
  const old = new Map<string, unknown>(Object.entries(before));
  const wanted = new Map<string, unknown>(Object.entries(after));
  const details: Record<string, unknown> = {};
  for (const column of changedColumns(before, after)) {
    details[column] =
      column === "password_hash" ? true : { from: old.get(column), to: wanted.get(column) };
  }
  if (tagPks) details.tags = true;
  return {
    workspacePk: scope.workspacePk,
    actor: scope.actor,
    action: "link.edit",
    subject: presentId("link", after.id),
    details,
  };
}

const writtenColumns = ["revision", "updated_at", ...comparedColumns];

async function writeColumns(tx: Connection, rows: readonly FoundLink[]): Promise<void> {
  await query(
    {
      // Answered by link_pkey.
      text: `
        UPDATE link
        SET ${writtenColumns.map((column) => `${column} = new.${column}`).join(", ")}
        FROM jsonb_populate_recordset(NULL::link, $1::jsonb) AS new
        WHERE link.pk = new.pk`,
      values: [columnsJson(rows)],
    },
    tx,
  );
}

async function replaceTags(tx: Connection, changes: readonly RowChange[]): Promise<void> {
  const tagged = changes.flatMap(({ after, tagPks }) => (tagPks ? [{ pk: after.pk, tagPks }] : []));
  if (tagged.length === 0) return;
  const pks = tagged.map(({ pk }) => pk);
  const pairs = tagged.flatMap(({ pk, tagPks }) => tagPks.map((tagPk) => ({ pk, tagPk })));
  await query(sql`DELETE FROM link_tag WHERE link_pk = ANY(${pks}::bigint[])`, tx);
  await query(
    sql`
      INSERT INTO link_tag (link_pk, tag_pk)
      SELECT *
      FROM unnest(
        ${pairs.map(({ pk }) => pk)}::bigint[],
        ${pairs.map(({ tagPk }) => tagPk)}::int[]
      )`,
    tx,
  );
}

export interface Deletion {
  ids: string[];
  published: Change[];
  /** Why nothing was deleted, when the actor may only see these links. */
  refusal?: Refusal | undefined;
}

/** Deletes the links with these ids and their names. Their clicks stay until retention takes them. */
export async function deleteRows(scope: WorkspaceScope, ids: readonly string[]): Promise<Deletion> {
  const access = await accessOf(scope);
  return await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, ids, tx));
    const rows = found.filter((row) => access.refusal(row) === undefined);
    const [kept] = found.filter((row) => access.refusal(row) !== undefined);
    if (rows.length === 0) return { ids: [], published: [], refusal: kept && access.refusal(kept) };
    const revision = await takeRevision(tx);
    const pks = rows.map(({ pk }) => pk);
    await dropNames(tx, rows);
    await query(sql`DELETE FROM link_search WHERE link_pk = ANY(${pks}::bigint[])`, tx);
    await query(sql`DELETE FROM link WHERE pk = ANY(${pks}::bigint[])`, tx);
    const published = rows.map((row) => ({
      entry: targetEntry(row.domain_pk, row.key),
      revision,
    }));
    await recordChanges(tx, published);
    await recordDeeds(
      tx,
      rows.map((row) => ({
        workspacePk: scope.workspacePk,
        actor: scope.actor,
        action: "link.delete",
        subject: presentId("link", row.id),
        details: { domain: row.slug, key: row.key, url: row.url },
      })),
    );
    return { ids: rows.map(({ id }) => id), published };
  });
}
