/** A report as CSV: one number per line, so that a spreadsheet can filter and pivot it. */
import {
  type Cell,
  csvLine,
  type SentFile,
  utf8Mark,
  withExportSlot,
} from "#lib/platform/downloads";
import type { DetailedReport } from "./schema.ts";

const header = ["table", "name", "figure", "value"];
const figures = [
  "recipients",
  "refused",
  "sent",
  "delivered",
  "failed",
  "unknown",
  "optedOut",
  "clicked",
  "clicks",
  "clickedAtDelivery",
  "clickRate",
  "parts",
  "cost",
] as const;
type Line = [table: string, name: string, figure: string, value: Cell];

export function reportFile(report: DetailedReport): SentFile {
  return withExportSlot({
    name: "fuxi-campaign-report.csv",
    type: "text/csv; charset=utf-8",
    send: (write) =>
      write(Buffer.from(utf8Mark + [header, ...linesOf(report)].map(csvLine).join(""))),
  });
}

function linesOf(report: DetailedReport): Line[] {
  const counted = (table: string, name: string, recipients: number): Line => {
    return [table, name, "recipients", recipients];
  };
  return [
    ["campaign", report.name, "rateOf", report.rateOf],
    ["campaign", report.name, "currency", report.currency],
    ["campaign", report.name, "rowsRefused", report.rowsRefused],
    ...figures.map((figure): Line => ["campaign", report.name, figure, report[figure]]),
    ...report.variants.flatMap((variant) =>
      figures.map((figure): Line => ["variant", variant.name, figure, variant[figure]]),
    ),
    ...report.firstClicks.map(({ fromSeconds, untilSeconds, recipients }) =>
      counted("secondsToFirstClick", `${fromSeconds}–${untilSeconds ?? ""}`, recipients),
    ),
    ...report.codes.map(({ state, code, messages }): Line => [state, code, "messages", messages]),
    ...report.clicksByTime.buckets.map(({ start, recipients }) =>
      counted(report.clicksByTime.unit, start, recipients),
    ),
    ...report.countries.map(({ country, recipients }) => counted("country", country, recipients)),
    ...report.cities.map(({ country, city, recipients }) =>
      counted("city", `${country} ${city}`.trim(), recipients),
    ),
    ...report.devices.map(({ device, recipients }) => counted("device", device, recipients)),
  ];
}
