/** The stats of a report, as the recipient may see them: those of the analytics page for the same period. */
import { z } from "zod";
import { askSeveral } from "#lib/analytics/reports";
import { type Grouping, severalQuery } from "#lib/analytics/reports/schema";
import { getFolder } from "#lib/links/folders";
import { findTags } from "#lib/links/tags";
import { getCampaign } from "#lib/outreach/campaigns";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ReportPeriod } from "./deliveries.ts";
import type { Frequency, ReportKind } from "./schema.ts";

const rowsMax = 5;

export interface Counted {
  clicks: number;
  visitors: number;
}

export interface Row {
  label: string;
  clicks: number;
}

export interface ReportFigures extends Counted {
  /** Undefined if the period before is not kept any more. */
  previous: Counted | undefined;
  series: { start: string; clicks: number }[];
  links: Row[];
  countries: Row[];
  referers: Row[];
}

export interface ReportSubject {
  kind: ReportKind;
  subjectId: string | null;
  frequency: Frequency;
}

const filterNames = { folder: "folderId", tag: "tagId", campaign: "campaignId" } as const;

/** Throws not_found or forbidden if the person may not see the subject. */
export async function nameOf(
  scope: WorkspaceScope,
  { kind, subjectId }: Pick<ReportSubject, "kind" | "subjectId">,
): Promise<string | null> {
  if (kind === "workspace") return null;
  const id = subjectId ?? "";
  if (kind === "folder") return (await getFolder(scope, id)).name;
  if (kind === "campaign") return (await getCampaign(scope, id)).name;
  const [tag] = await findTags(scope.workspacePk, [id], []);
  if (tag) return tag.name;
  throw new AppError("not_found", "Tag not found in this workspace.");
}

const counted = z.object({ clicks: z.number(), visitors: z.number().default(0) });
const total = counted.extend({ previous: counted.optional() });
const series = z.array(z.object({ start: z.string(), clicks: z.number() }));
const linkRows = z.array(
  z
    .object({ domain: z.string(), key: z.string(), clicks: z.number() })
    .transform(({ domain, key, clicks }) => ({
      label: key === "_root" ? domain : `${domain}/${key}`,
      clicks,
    })),
);
const countryRows = z.array(
  z
    .object({ country: z.string(), clicks: z.number() })
    .transform(({ country: label, clicks }) => ({ label, clicks })),
);
const refererRows = z.array(
  z
    .object({ referer: z.string(), clicks: z.number() })
    .transform(({ referer: label, clicks }) => ({ label, clicks })),
);

export async function countReport(
  scope: WorkspaceScope,
  { kind, subjectId }: Pick<ReportSubject, "kind" | "subjectId">,
  { startsOn, endsOn }: ReportPeriod,
): Promise<ReportFigures> {
  const answers = await askSeveral(
    scope,
    severalQuery.parse({
      groupBy: "count,timeseries,top_links,countries,referers",
      start: startsOn,
      end: endsOn,
      timezone: scope.zone,
      unique: "true",
      compare: "previous",
      limit: `${rowsMax}`,
      ...(kind === "workspace" ? {} : { [filterNames[kind]]: subjectId ?? "" }),
    }),
  );
  const read = <Shape extends z.ZodType>(name: Grouping, shape: Shape): z.output<Shape> =>
    shape.parse(answers.get(name)?.answer);
  const { previous, ...now } = read("count", total);
  return {
    ...now,
    previous,
    series: read("timeseries", series),
    links: read("top_links", linkRows),
    countries: read("countries", countryRows),
    referers: read("referers", refererRows),
  };
}
