/** Finds the click that a conversion names. Clicks that the caller may not see count as missing. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FirstClick } from "#lib/analytics/customers";
import { clickAt } from "#lib/analytics/single-clicks";
import { type VisibleLinks, visibleConditions } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, SqlValues } from "#lib/platform/postgres";

/** A visitor may convert before the click is counted. */
const callWaitMs = 3_000;
const pollMs = 100;
/** After an outage, clicks of the last minutes may not be counted yet. */
const freshMs = 600_000;
const aheadMaxMs = 60_000;

const pattern = /^(\d{1,15})-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

interface ClickName {
  at: Date;
  id: string;
}

export function clickIdOf({ at, id }: ClickName): string {
  return `${at.getTime()}-${id}`;
}

function parseClickId(text: string): ClickName | undefined {
  const [, ms, id] = pattern.exec(text) ?? [];
  const at = new Date(Number(ms));
  return id === undefined || Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9_999
    ? undefined
    : { at, id };
}

export interface Clicks {
  workspacePk: number;
  seen: VisibleLinks;
}

/** The click may be counted later, or not exist. */
export class UncountedClick extends AppError {
  constructor() {
    const message = "clickId: This click isn’t recorded yet, or doesn’t exist. Try again later.";
    super("service_unavailable", message, { retryAfterSeconds: 1 });
  }
}

/** Throws a 404 for a missing click, and a 503 for one that may not be counted yet. */
export async function getClick(
  clicks: Clicks,
  text: string,
  waitMs = callWaitMs,
): Promise<FirstClick> {
  const name = parseClickId(text);
  if (!name) throw missing();
  const age = Date.now() - name.at.getTime();
  const isFresh = age < freshMs && age > -aheadMaxMs;
  const until = Date.now() + (isFresh ? waitMs : 0);
  for (;;) {
    const found = await findClick(clicks, name);
    if (found) return found;
    if (Date.now() >= until) break;
    await sleep(pollMs);
  }
  throw isFresh ? new UncountedClick() : missing();
}

function missing(): AppError {
  return new AppError(
    "not_found",
    "clickId: Click not found. Send the value of dub_id in the URL that the visitor arrived at.",
  );
}

/** Undefined once clicks of its day are deleted. */
export async function findClick(
  { workspacePk, seen }: Clicks,
  { at, id }: ClickName,
  tx?: Connection,
): Promise<FirstClick | undefined> {
  // Answered by click_workspace of one partition, or click_block_pkey.
  const [click] = await query.on(tx).query<FirstClick>({
    text: `
    SELECT at, id, link_pk AS "linkPk", country
    FROM ${clickAt(["at", "id", "link_pk", "country"], "$1", "$2")}
    WHERE id = $3::uuid`,
    values: [workspacePk, at, id],
  });
  return click && (await isVisible({ workspacePk, seen }, click.linkPk, tx)) ? click : undefined;
}

async function isVisible(
  { workspacePk, seen }: Clicks,
  linkPk: number,
  tx?: Connection,
): Promise<boolean> {
  const { list: values, place } = new SqlValues();
  const where = [
    `link.pk = ${place(linkPk, "bigint")}`,
    `link.workspace_pk = ${place(workspacePk, "int")}`,
    ...visibleConditions(seen, place),
  ];
  // Answered by link_pkey.
  const text = `
    SELECT 1
    FROM link
    WHERE ${where.join("\n      AND ")}`;
  return await query.on(tx).any({ text, values });
}
