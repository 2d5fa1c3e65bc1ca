/**
 * Walks through the links of all workspaces by their primary keys, roughly from the newest to the oldest, and finds those with a
 * destination. A step reads a limited number of links: an index of destinations would cost every create.
 */
import { domainToASCII, domainToUnicode } from "node:url";
import { pagesOf } from "#lib/basics/urls";
import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import type { TargetColumns } from "#lib/links/link-cache";
import { query, sql } from "#lib/platform/postgres";

const stepLinks = 20_000;
/** Rows that a step sends at most; a step with more continues from the last of them. */
const rowsMax = 500;

/** The database finds links that mention one of the texts, and `matches` compares each URL exactly. */
export interface Wanted {
  texts: readonly string[];
  matches: (url: string) => boolean;
}

/** A host and its subdomains, or the beginning of a URL. */
export function readWanted(text: string): Wanted {
  const bare = bareUrl(text).toLowerCase();
  return /[/?#]/.test(bare)
    ? { texts: [bare], matches: (url) => bareUrl(url).toLowerCase().startsWith(bare) }
    : onHost(bare.replace(/^\*\.|[.:]+$|:\d+$/g, ""));
}

export function onHost(host: string): Wanted {
  const ascii = domainToASCII(host) || host;
  const isOn = (name: string) => name === ascii || name.endsWith(`.${ascii}`);
  return {
    texts: [ascii, domainToUnicode(ascii)],
    matches: (url) =>
      pagesOf(url).some((page) => isOn((parseUrl(page)?.hostname ?? "").replace(/\.$/, ""))),
  };
}

interface WalkedRow
  extends Pick<
    TargetColumns,
    "url" | "expired_url" | "ios" | "android" | "geo" | "rules" | "test_variants"
  > {
  pk: number;
  workspace_pk: number;
}

export interface WalkStep {
  links: WalkedRow[];
  /** Where to continue; null at the end. */
  next: number | null;
}

interface WalkRange {
  /** Links with smaller keys. */
  before?: number | undefined;
  /** Created at this moment or later. */
  since?: Date | undefined;
}

/** `wanted` undefined: every link. */
export async function* walkLinks(
  wanted: Wanted | undefined,
  { before = Number.MAX_SAFE_INTEGER, since }: WalkRange = {},
): AsyncGenerator<WalkStep> {
  for (let at: number | null = before; at !== null; ) {
    const step = await findStep(at);
    const rows = await listMentions(wanted?.texts ?? [""], since ?? null, step.from, at);
    const rest = step.links < stepLinks ? null : step.from;
    const next: number | null = rows.length < rowsMax ? rest : (rows.at(-1)?.pk ?? null);
    const links = wanted ? rows.filter((row) => urlsOf(row).some(wanted.matches)) : rows;
    yield { links, next };
    at = next;
  }
}

async function findStep(before: number): Promise<{ from: number; links: number }> {
  // Answered by link_pkey.
  const [step] = await query<{ from: number | null; links: number }>(sql`
    SELECT min(pk) AS from, count(*)::int AS links
    FROM (SELECT pk FROM link WHERE pk < ${before} ORDER BY pk DESC LIMIT ${stepLinks}) AS step`);
  return { from: step?.from ?? before, links: step?.links ?? 0 };
}

async function listMentions(
  texts: readonly string[],
  since: Date | null,
  from: number,
  before: number,
): Promise<WalkedRow[]> {
  // Answered by link_pkey. Reads every link of the step that mentions the text.
  return await query<WalkedRow>(sql`
    SELECT pk, workspace_pk, url, expired_url, ios, android, geo, rules, test_variants
    FROM link
    WHERE pk >= ${from}
      AND pk < ${before}
      AND workspace_pk IS NOT NULL
      AND url <> ''
      AND (${since}::timestamptz IS NULL OR created_at >= ${since}::timestamptz)
      AND lower(
        concat_ws(' ', url, expired_url, ios, android, geo::text, rules::text, test_variants::text)
      ) LIKE ANY(${texts.map(containing)}::text[])
    ORDER BY pk DESC
    LIMIT ${rowsMax}`);
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

function urlsOf(row: WalkedRow): string[] {
  const { url, expired_url: expiredUrl, ios, android, geo, rules, test_variants: variants } = row;
  const all = [
    url,
    expiredUrl ?? "",
    ios ?? "",
    android ?? "",
    ...Object.values(geo ?? {}),
    ...(rules?.map((rule) => rule.url) ?? []),
    ...(variants?.map((variant) => variant.url) ?? []),
  ];
  return all.filter((one) => one !== "");
}
