/** Writes blocks: from rows, from other blocks, or from both. */
import { arrayOf, clickValueOf, flags, isText, keys, texts } from "#lib/analytics/single-clicks";

const clicksPerBlock = 2_000;

/** All texts are SQL conditions that may use parameters; `$1` is the workspace. */
interface Rewrite {
  /** On `entry`: rows that move into blocks. */
  rows?: string;
  /** On `block`: blocks that are written again. */
  blocks: string;
  /** On `part`: clicks that stay. */
  keep?: string;
  /** Whether the clicks are divided anew, or each block is written for itself. Only neighbors within a month are divided anew. */
  into: "new blocks" | "own blocks";
}

/** Names the workspace, so that Citus sends the statement to one server. A plain `false` it would send to none. */
const noRows = "entry.workspace_pk = $1 AND entry.at < '-infinity'";
const flagsOfRow = Object.entries(flags)
  .map(([name, bit]) => `entry.${name}::int * ${bit}`)
  .join(" + ");
const columns = [...keys, "flags", ...texts] as const;

/** Clicks of the same moment are never divided, so that blocks do not overlap. */
const divided = `(rank() OVER (ORDER BY part.at) - 1) * ceil(count(*) OVER () / ${clicksPerBlock}.0)::bigint / count(*) OVER ()`;

/**
 * In one statement, so that each click is deleted and written, or neither. The visitor of a row is left out: its secret is erased
 * after two days, and then it says nothing. The caller holds the lock of the workspace.
 */
export function rewriteBlocks({ rows = noRows, blocks, keep = "true", into }: Rewrite): string {
  const ofRows = [...keys, ...texts].map((name) => `entry.${name}`).join(", ");
  const stored = columns.flatMap((name) => (isText(name) ? [name, `${name}_values`] : name));
  return `
    WITH entry AS (
      DELETE FROM analytics.click AS entry
      WHERE ${rows}
      RETURNING entry.workspace_pk, ${ofRows}, (${flagsOfRow})::smallint AS flags
    ), block AS (
      DELETE FROM analytics.click_block AS block
      WHERE ${blocks}
      RETURNING block.*
    ), part AS (
      SELECT workspace_pk, NULL::timestamptz AS first_at, ${columns.join(", ")}
      FROM entry
      UNION ALL
      SELECT workspace_pk, first_at, ${columns.map(clickValueOf).join(", ")}
      FROM (
        SELECT generate_series(1, part.clicks) AS place, part.*
        FROM (
          SELECT block.workspace_pk, block.first_at, block.clicks, ${columns.map(arrayOf).join(", ")}
          FROM block
          OFFSET 0
        ) AS part
      ) AS part
    ), gathered AS (
      SELECT
        workspace_pk, min(at) AS first_at, max(at) AS last_at, count(*) AS clicks,
        ${columns.map((name) => `array_agg(${name} ORDER BY at, id) AS ${name}`).join(",\n        ")}
      FROM (
        SELECT part.*, ${into === "own blocks" ? "part.first_at" : divided} AS block
        FROM part
        WHERE ${keep}
      ) AS part
      GROUP BY workspace_pk, block
    )
    INSERT INTO analytics.click_block (workspace_pk, first_at, last_at, clicks, ${stored.join(", ")})
    SELECT workspace_pk, first_at, last_at, clicks, ${stored.map(written).join(",\n      ")}
    FROM (
      SELECT gathered.*, ${texts.map(dictionaryOf).join(",\n        ")}
      FROM gathered
      OFFSET 0
    ) AS block`;
}

/** The most frequent first, because those before a value are read to find it. */
function dictionaryOf(name: string): string {
  return `ARRAY(SELECT value FROM unnest(${name}) AS value GROUP BY value ORDER BY count(*) DESC, value) AS ${name}_values`;
}

function written(name: string): string {
  const column = name.replace(/_values$/, "");
  if (!isText(column)) return name;
  const written =
    name === column
      ? `ARRAY(SELECT array_position(${name}_values, value)::smallint FROM unnest(${name}) AS value)`
      : name;
  return `CASE WHEN ${column}_values <> '{NULL}' THEN ${written} END`;
}
