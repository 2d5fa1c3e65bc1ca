import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { CampaignReport, DetailedReport } from "#lib/outreach/campaign-reports/schema";
import { ReportTimeline } from "./report-timeline.tsx";
import { moneyOf, SendFigure } from "./send-figure.tsx";

export function ReportView({ report, running }: { report: DetailedReport; running: boolean }) {
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

interface ReportBarsProps {
  caption: string;
  rows: readonly { id: string; name: string; count: number }[];
}

function ReportBars({ caption, rows }: ReportBarsProps) {
  const t = useTranslations("campaignReport");
  // The card around the table already has the plain name.
  const label = t("tableOf", { name: caption });
  const format = useFormatter();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-y-auto">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{label}</caption>
        <colgroup>
          <col />
          <col className="w-20" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">{caption}</th>
            <th scope="col">{t("count")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, count }) => (
            <tr key={id}>
              <th scope="row" className="relative h-8 pr-2 text-left font-normal">
                <span
                  aria-hidden
                  className="absolute inset-y-0.5 left-0 rounded-md bg-accent-soft"
                  style={{ width: `${(count / most) * 100}%` }}
                />
                <span className="relative block truncate px-2">{name}</span>
              </th>
              <td className="text-right font-medium tabular-nums">{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const steps = ["recipients", "sent", "delivered", "clicked"] as const;

function ReportFunnel({ report }: { report: CampaignReport }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const all = Math.max(1, report.recipients);
  // If Fuxi sent nothing, or no receipts came, these steps are unknown rather than zero, so they are hidden.
  const shown = steps.filter((step) => {
    if (step === "sent") return report.rateOf !== "recipients";
    return step !== "delivered" || report.rateOf === "delivered";
  });
  return (
    <ol aria-label={t("funnel")} className="grid gap-2">
      {shown.map((step) => {
        const share = report[step] / all;
        return (
          <li
            key={step}
            className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_9rem]"
          >
            <span className="font-medium">{t(`steps.${step}`)}</span>
            <span aria-hidden className="h-7 overflow-hidden rounded-md bg-sunken">
              <span
                className="block h-full rounded-md bg-accent"
                style={{ width: `${share * 100}%` }}
              />
            </span>
            <span className="col-start-2 tabular-nums sm:col-start-3 sm:text-right">
              <strong className="font-semibold">{format.number(report[step])}</strong>{" "}
              <span className="text-ink-muted">
                {format.number(share, { style: "percent", maximumFractionDigits: 1 })}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const counts = ["recipients", "sent", "delivered", "clicked", "clicks"] as const;

function ReportVariants({ report }: { report: CampaignReport }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const number = "text-right tabular-nums";
  return (
    <Table caption={t("tableOf", { name: t("variants") })}>
      <thead>
        <tr>
          <TableHead>{t("variant")}</TableHead>
          {counts.map((name) => (
            <TableHead key={name} className="text-right">
              {t(`steps.${name}`)}
            </TableHead>
          ))}
          <TableHead className="text-right">{t("clickRate")}</TableHead>
          <TableHead className="text-right">{t("cost")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {report.variants.map((variant) => (
          <TableRow key={variant.name}>
            <TableCell className="max-w-48 truncate font-medium">{variant.name}</TableCell>
            {counts.map((name) => (
              <TableCell key={name} className={number}>
                {format.number(variant[name])}
              </TableCell>
            ))}
            <TableCell className={number}>
              {variant.clickRate === null
                ? "–"
                : format.number(variant.clickRate, { style: "percent", maximumFractionDigits: 1 })}
            </TableCell>
            <TableCell className={number}>
              {variant.cost !== null && report.currency
                ? moneyOf(format, variant.cost, report.currency)
                : "–"}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
