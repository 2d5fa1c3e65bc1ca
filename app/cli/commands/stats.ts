import { drawBars, drawColumns, type Point } from "../chart.ts";
import { findLink } from "../links.ts";
import { type Session, take, writeJson, writeLine } from "../session.ts";
import { columnsOf, plain } from "../terminal.ts";

/** Periods that end now. */
export const intervals = [
  ...["today", "yesterday", "24h", "7d", "30d", "90d", "1y"],
  ...["mtd", "qtd", "ytd", "all"],
] as const;

export interface StatsOptions {
  interval:
    | "today"
    | "yesterday"
    | "24h"
    | "7d"
    | "30d"
    | "90d"
    | "1y"
    | "mtd"
    | "qtd"
    | "ytd"
    | "all";
  timezone: string;
}

const topMax = 5;
/** The groupings that are shown, each with the field of its values. */
const tops = [
  ["countries", "country", "Countries"],
  ["referers", "referer", "Referrers"],
  ["devices", "device", "Devices"],
  ["top_links", "shortLink", "Links"],
] as const;

export async function stats(
  session: Session,
  named: string | undefined,
  options: StatsOptions,
): Promise<void> {
  const link = named === undefined ? undefined : await findLink(session, named);
  const query = {
    interval: options.interval,
    timezone: options.timezone,
    unique: "true",
    groupBy: ["count", "timeseries", ...tops.map(([grouping]) => grouping)].join(),
    ...(link && { linkId: link.id }),
  };
  const answered = await take(session.fuxi.GET("/api/analytics", { params: { query } }));
  if (session.json) return writeJson(session, answered);
  const found: Record<string, unknown> = Object(answered);
  const lines = [
    ...heading(session, found["count"], link?.shortLink, options.interval),
    "",
    ...drawColumns(
      pointsOf(found["timeseries"], "start").map(shortenLabel),
      columnsOf(session.terminal),
    ),
  ];
  for (const [grouping, field, title] of tops) {
    const points = pointsOf(found[grouping], field).slice(0, topMax);
    // The stats of a link need no list of top links.
    if (points.length === 0 || (link && grouping === "top_links")) continue;
    const bars = drawBars(points, columnsOf(session.terminal));
    lines.push("", session.paint("bold", title), ...bars);
  }
  for (const line of lines) writeLine(session, line);
}

function heading({ paint }: Session, total: unknown, name: string | undefined, period: string) {
  const { clicks = 0, visitors } = Object(total);
  const people = visitors === undefined ? "" : `, ${visitors} unique visitors`;
  return [paint("bold", plain(name ?? "All links")), `${clicks} clicks${people} (${period})`];
}

/** Points from an answer. `field` names their labels. */
function pointsOf(rows: unknown, field: string): Point[] {
  if (!Array.isArray(rows)) return [];
  return rows.map((row: unknown) => {
    const { [field]: label, clicks } = Object(row);
    return { label: plain(String(label ?? "")), value: Number(clicks) || 0 };
  });
}

/** Days lose their hour; hours keep their day. */
function shortenLabel({ label, value }: Point, _at: number, all: readonly Point[]): Point {
  const isDaily = all.every((one) => /T00:00/.test(one.label) || !one.label.includes("T"));
  return { value, label: isDaily ? label.slice(0, 10) : label.slice(0, 16).replace("T", " ") };
}
