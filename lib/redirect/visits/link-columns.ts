/**
 * The columns of a link that its cached target consists of. Those that most links do not use are one column of the answer: each
 * is described with it, by name, and read from it, also when it is empty.
 */
import { type TargetColumns, type TargetRow, targetOfColumns } from "#lib/links/link-cache";

type UsedColumns = Pick<TargetColumns, "pk" | "workspace_pk" | "domain_pk" | "url">;
type RareColumns = Omit<TargetColumns, keyof UsedColumns>;
type RareDate =
  | "starts_at"
  | "expires_at"
  | "disabled_at"
  | "banned_at"
  | "retired_at"
  | "test_started_at"
  | "test_completed_at";

export type LinkRow = UsedColumns & {
  revision: number;
  /** Null for a link that uses none of them. */
  rare: (Omit<RareColumns, RareDate> & Record<RareDate, string | null>) | null;
};

/** Of a link that uses none of them. */
const unused: RareColumns = {
  redirect_status: 0,
  starts_at: null,
  expires_at: null,
  disabled_at: null,
  banned_at: null,
  ban_reason: null,
  retired_at: null,
  expired_url: null,
  password_hash: null,
  max_clicks: null,
  rules: null,
  ios: null,
  android: null,
  geo: null,
  test_variants: null,
  test_started_at: null,
  test_completed_at: null,
  forward_query: null,
  forward_path: false,
  do_index: false,
  track_conversion: false,
  form_id: null,
  proxy: false,
  rewrite: false,
  inside_apps: null,
  title: null,
  description: null,
  image: null,
  video: null,
};

const flags = namesOf(false);
/** Titles and the like are only used with `proxy` or `rewrite`. */
const pageTexts = new Set(["title", "description", "image", "video"]);
const values = namesOf(null).filter((name) => !pageTexts.has(name));

export const linkColumns = `
  link.revision, link.pk, link.workspace_pk, link.domain_pk, link.url,
  CASE
    WHEN link.redirect_status <> 0
      OR ${flags.map((name) => `link.${name}`).join(" OR ")}
      OR num_nonnulls(${values.map((name) => `link.${name}`).join(", ")}) > 0
    THEN json_build_object(${Object.keys(unused)
      .map((name) => `'${name}', link.${name}`)
      .join(", ")})
  END AS rare`;

function namesOf(value: false | null): string[] {
  return Object.entries(unused)
    .filter(([, usual]) => usual === value)
    .map(([name]) => name);
}

export function targetOfRow(row: LinkRow): TargetRow {
  if (!row.rare) return usualTarget(row);
  const { rare, ...used } = row;
  return targetOfColumns({
    ...used,
    ...rare,
    starts_at: dateOf(rare.starts_at),
    expires_at: dateOf(rare.expires_at),
    disabled_at: dateOf(rare.disabled_at),
    banned_at: dateOf(rare.banned_at),
    retired_at: dateOf(rare.retired_at),
    test_started_at: dateOf(rare.test_started_at),
    test_completed_at: dateOf(rare.test_completed_at),
  });
}

/** As `targetOfColumns` makes it of unused columns, which takes longer than all else that is done with the row. */
function usualTarget(row: UsedColumns): TargetRow {
  return {
    linkPk: row.pk,
    workspacePk: row.workspace_pk,
    domainPk: row.domain_pk,
    status: unused.redirect_status,
    startsAt: 0,
    endsAt: 0,
    state: "a",
    url: row.url,
    expiredUrl: "",
    extras: undefined,
    indexed: unused.do_index,
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
