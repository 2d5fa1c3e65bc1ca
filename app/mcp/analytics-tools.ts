import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import * as fields from "#lib/analytics/reports/schema";
import type { Fuxi } from "../sdk/index.ts";
import { answering, dataOf, given, ToolFailure } from "./answers.ts";
import { findLink, linkReference } from "./link-answers.ts";

const rowsDefault = 10;
const rowsMax = 50;
/** A model has to read every point of a series. */
const pointsMax = 400;

const { shape } = fields.analyticsQuery;
const filters = {
  link: linkReference.optional(),
  interval: z
    .enum(fields.periodIntervals)
    .default("30d")
    .describe(
      "The period, unless start is given: mtd, qtd and ytd begin with the month, quarter, year.",
    ),
  start: shape.start,
  end: shape.end,
  timezone: shape.timezone.describe("An IANA time zone, such as Europe/Berlin. Defaults to UTC."),
  domain: shape.domain,
  tagId: shape.tagId,
  folderId: shape.folderId,
  country: shape.country,
  city: shape.city,
  device: shape.device,
  browser: shape.browser,
  os: shape.os,
  trigger: shape.trigger,
  referer: shape.referer,
  utm_source: shape.utm_source,
  utm_medium: shape.utm_medium,
  utm_campaign: shape.utm_campaign,
};
const filtersObject = z.strictObject(filters);
type Filters = z.output<typeof filtersObject>;

const valueGroupings = fields.groupings.filter(
  (name) => name !== "count" && name !== "timeseries" && name !== "hours",
);
const rowAnswer = z.looseObject({ clicks: z.number() });
const readOnly = { readOnlyHint: true, openWorldHint: false };

export function addAnalyticsTools(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "get_click_totals",
    {
      title: "Get totals of clicks",
      description:
        "Returns clicks without bots, daily unique visitors, leads, sales and their amount for a period, of one link or of all that match the filters, and the same for the period before.",
      inputSchema: filtersObject,
      outputSchema: z.looseObject({ clicks: z.number() }),
      annotations: readOnly,
    },
    answering(async (input) => {
      const query = { groupBy: "count", compare: "previous", unique: "true" } as const;
      return fields.countedTotal.parse(await ask(fuxi, input, query));
    }),
  );
  server.registerTool(
    "list_top_values",
    {
      title: "List what gets the most clicks",
      description:
        "Returns the values of one grouping with the most clicks: links, countries, cities, referrers (referers), devices, browsers, UTM values and so on.",
      inputSchema: z.strictObject({
        groupBy: z.enum(valueGroupings),
        limit: z.int().min(1).max(rowsMax).default(rowsDefault),
        ...filters,
      }),
      outputSchema: z.looseObject({ rows: z.array(rowAnswer) }),
      annotations: readOnly,
    },
    answering(async ({ groupBy, limit, ...input }) => ({
      rows: rowsOf(await ask(fuxi, input, { groupBy, limit })),
    })),
  );
  addSeries(server, fuxi);
}

function addSeries(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "get_clicks_over_time",
    {
      title: "Get clicks over time",
      description:
        "Returns clicks, leads and sales per hour, day, week or month of a period. A row without leads or sales had none.",
      inputSchema: z.strictObject({
        granularity: z
          .enum(fields.granularities)
          .optional()
          .describe("Defaults to one that suits the period."),
        ...filters,
      }),
      outputSchema: z.looseObject({ rows: z.array(rowAnswer) }),
      annotations: readOnly,
    },
    answering(async ({ granularity, ...input }) => {
      const query = { groupBy: "timeseries", ...given({ granularity }) };
      const rows = rowsOf(await ask(fuxi, input, query));
      if (rows.length > pointsMax) {
        throw new ToolFailure(
          `The period has ${rows.length} rows. Use a longer granularity or a shorter period: an answer has up to ${pointsMax}.`,
        );
      }
      return { rows };
    }),
  );
}

async function ask(fuxi: Fuxi, { link, ...input }: Filters, asked: object): Promise<unknown> {
  const linkId = link === undefined ? undefined : (await findLink(fuxi, link)).id;
  const query = given({ ...input, linkId, event: "composite" as const, ...asked });
  return await dataOf(fuxi.GET("/api/analytics", { params: { query } }));
}

/** Leaves out leads and sales that are zero, because most rows have none. */
function rowsOf(answer: unknown) {
  return z
    .array(fields.countedGroup)
    .parse(answer)
    .map(({ leads, sales, saleAmount, ...row }) => ({
      ...row,
      ...(leads > 0 && { leads }),
      ...(sales > 0 && { sales, saleAmount }),
    }));
}
