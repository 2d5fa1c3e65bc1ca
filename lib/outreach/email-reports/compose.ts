/** A report for one reader: the stats that the reader may see, and the images. */
import { readableOn } from "#lib/basics/formats/schema";
import { getBranding } from "#lib/links/branding";
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { drawChart } from "./chart.ts";
import type { ReportPeriod } from "./deliveries.ts";
import { defaultColor, type ReportContent, themes } from "./email.ts";
import { countReport, nameOf, type ReportSubject } from "./figures.ts";

export interface Reader {
  workspace: string;
  locale: "en" | "zh";
  period: ReportPeriod;
  stopUrl: string;
  /** People outside the workspace get no links to the dashboard. */
  isMember: boolean;
}

export interface ComposedReport {
  content: ReportContent;
  images: { light: Buffer; dark: Buffer; logo: Buffer | null };
}

/** Throws not_found or forbidden if the scope may not see the subject. */
export async function composeReport(
  scope: WorkspaceScope,
  subject: ReportSubject,
  { isMember, ...reader }: Reader,
): Promise<ComposedReport> {
  const name = await nameOf(scope, subject);
  const figures = await countReport(scope, subject, reader.period);
  const { color, logo } = await getBranding(scope);
  const own = color ?? defaultColor;
  const draw = (theme: keyof typeof themes) => {
    const { quiet: text, line, card } = themes[theme];
    const place = { locale: reader.locale, zone: scope.zone };
    return drawChart(figures.series, { text, line, bar: readableOn(own, card) }, place);
  };
  const analyticsUrl = isMember ? `${config().FUXI_URL}/app/${scope.slug}/analytics` : null;
  const { kind, frequency } = subject;
  return {
    content: {
      ...reader,
      kind,
      frequency,
      zone: scope.zone,
      name,
      color: own,
      figures,
      analyticsUrl,
    },
    images: {
      light: await draw("light"),
      dark: await draw("dark"),
      logo: logo === null ? null : Buffer.from(logo, "base64"),
    },
  };
}
