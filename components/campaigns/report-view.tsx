import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import type { DetailedReport } from "#lib/outreach/campaign-reports/schema";
import { ReportBars } from "./report-bars.tsx";
import { ReportFunnel } from "./report-funnel.tsx";
import { ReportTimeline } from "./report-timeline.tsx";
import { ReportVariants } from "./report-variants.tsx";
import { SendFigure } from "./send-figure.tsx";
import { moneyOf } from "./send-money.ts";

interface ReportViewProps {
  report: DetailedReport;
  /** More messages are being sent. */
  running: boolean;
}

/** What became of a campaign. Everything is rendered on the server, and readable without scripts. */
export function ReportView({ report, running }: ReportViewProps) {
  const t = useTranslations("campaignReport");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
      <div className="lg:col-span-2">
        <Card
          heading={t("overview")}
          aside={running ? <Badge tone="green">{t("live")}</Badge> : null}
        >
          <ReportFunnel report={report} />
          <Figures report={report} />
        </Card>
      </div>
      {report.variants.length > 1 ? (
        <div className="lg:col-span-2">
          <Card
            heading={t("variants")}
            note={t("variantsNote", { of: t(`bases.${report.rateOf}`) })}
          >
            <ReportVariants report={report} />
          </Card>
        </div>
      ) : null}
      <div className="lg:col-span-2">
        <Card
          heading={t(`timeline.${report.clicksByTime.unit}`)}
          note={t("timelineNote", { zone: report.clicksByTime.timezone })}
        >
          <ReportTimeline clicks={report.clicksByTime} />
        </Card>
      </div>
      <Delays report={report} />
      <Codes report={report} />
      <Places report={report} />
    </div>
  );
}

function Figures({ report }: { report: DetailedReport }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const { clickRate, rateOf, clicks, clickedAtDelivery, optedOut, unknown, failed, refused } =
    report;
  const { cost, currency, parts, rowsRefused } = report;
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      <SendFigure
        name={t("clickRate")}
        value={clickRate === null ? "–" : percent(format, clickRate)}
        hint={t("rateNote", { of: t(`bases.${rateOf}`) })}
      />
      <SendFigure name={t("clicks")} value={format.number(clicks)} hint={t("clicksHint")} />
      <SendFigure name={t("fast")} value={format.number(clickedAtDelivery)} hint={t("fastHint")} />
      <SendFigure
        name={t("optedOut")}
        value={optedOut === null ? "–" : format.number(optedOut)}
        hint={optedOut === null ? t("optedOutErased") : undefined}
      />
      <SendFigure name={t("notDelivered")} value={format.number(failed + refused)} />
      {unknown > 0 ? <SendFigure name={t("unknown")} value={format.number(unknown)} /> : null}
      {rowsRefused > 0 ? (
        <SendFigure name={t("rowsRefused")} value={format.number(rowsRefused)} />
      ) : null}
      <SendFigure
        name={t("cost")}
        value={cost !== null && currency ? moneyOf(format, cost, currency) : t("noPrices")}
        hint={t("parts", { count: parts })}
      />
    </dl>
  );
}

function percent(format: ReturnType<typeof useFormatter>, share: number): string {
  return format.number(share, { style: "percent", maximumFractionDigits: 1 });
}

function Delays({ report: { firstClicks } }: { report: DetailedReport }) {
  const t = useTranslations("campaignReport");
  return (
    <Card heading={t("delays")} note={t("delaysNote")}>
      <ReportBars
        caption={t("delays")}
        rows={firstClicks.map(({ fromSeconds, untilSeconds, recipients }) => ({
          id: String(fromSeconds),
          name:
            untilSeconds === null
              ? t("delayAfter", { from: unitOf(fromSeconds, t) })
              : t("delayUntil", { until: unitOf(untilSeconds, t) }),
          count: recipients,
        }))}
      />
    </Card>
  );
}

const minute = 60;
const hour = 3_600;
const day = 86_400;

function unitOf(seconds: number, t: ReturnType<typeof useTranslations<"campaignReport">>): string {
  if (seconds >= day) return t("days", { count: seconds / day });
  return seconds >= hour
    ? t("hours", { count: seconds / hour })
    : t("minutes", { count: seconds / minute });
}

function Codes({ report: { codes } }: { report: DetailedReport }) {
  const t = useTranslations("campaignReport");
  const known = ["opted_out", "erased", "link_deleted", "no_response", "unreachable"] as const;
  return (
    <Card heading={t("codes")} note={t("codesNote")}>
      {codes.length === 0 ? (
        <p className="text-ink-muted text-sm">{t("noCodes")}</p>
      ) : (
        <ReportBars
          caption={t("codes")}
          rows={codes.map(({ state, code, messages }) => {
            const name = known.find((one) => one === code);
            return {
              id: `${state} ${code}`,
              name: `${t(`failures.${state}`)} · ${name ? t(`codeNames.${name}`) : code}`,
              count: messages,
            };
          })}
        />
      )}
    </Card>
  );
}

const devices = ["Desktop", "Mobile", "Tablet", "TV"] as const;

/** Where and on what recipients clicked first. */
function Places({ report }: { report: DetailedReport }) {
  const t = useTranslations("campaignReport");
  const regions = new Intl.DisplayNames(useLocale(), { type: "region", fallback: "code" });
  const countryOf = (country: string) => (country === "" ? t("unknownPlace") : regions.of(country));
  const { located, clicked } = report;
  const cards = [
    {
      heading: t("countries"),
      rows: report.countries.map(({ country, recipients }) => ({
        id: country,
        name: countryOf(country) ?? country,
        count: recipients,
      })),
    },
    {
      heading: t("cities"),
      rows: report.cities.map(({ country, city, recipients }) => ({
        id: `${country} ${city}`,
        name: city === "" ? `${t("unknownPlace")} · ${countryOf(country)}` : city,
        count: recipients,
      })),
    },
    {
      heading: t("devices"),
      rows: report.devices.map(({ device, recipients }) => {
        const known = devices.find((one) => one === device);
        return {
          id: device,
          name: known ? t(`deviceNames.${known}`) : device || t("unknownPlace"),
          count: recipients,
        };
      }),
    },
  ];
  return cards.map(({ heading, rows }) => (
    <Card key={heading} heading={heading} note={t("placesNote", { located, clicked })}>
      {rows.length === 0 ? (
        <p className="text-ink-muted text-sm">{t("noClicks")}</p>
      ) : (
        <ReportBars caption={heading} rows={rows} />
      )}
    </Card>
  ));
}
