import { TriangleAlert } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { Campaign, CampaignStatus } from "#lib/outreach/campaigns/schema";
import type { DryRun } from "#lib/outreach/sending/schema";
import { RefusedReasons } from "./campaign-figures.tsx";
import { moneyOf, SendFigure } from "./send-figure.tsx";

const skips = ["opted_out", "erased", "link_deleted"] as const;
const warnings = ["no_link", "no_space", "shared_domain"] as const;

interface SendSummaryProps {
  campaign: Campaign;
  status: CampaignStatus;
  result: DryRun;
  /** Messages per second, as far as the gateway allows. */
  rate: number;
}

export function SendSummary({ campaign, status, result, rate }: SendSummaryProps) {
  const t = useTranslations("sending");
  const format = useFormatter();
  const { messages, parts, cost, currency, seconds, refused, countries } = result;
  const excluded = [...refused, ...status.refused].reduce((sum, { rows }) => sum + rows, 0);
  return (
    <section aria-label={t("summary")} className="grid gap-3 rounded-lg bg-sunken p-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <SendFigure name={t("messages")} value={format.number(messages)} />
        <SendFigure name={t("parts")} value={format.number(parts)} />
        <SendFigure
          name={t("cost")}
          value={cost && currency ? moneyOf(format, cost, currency) : t("noPrices")}
        />
        <SendFigure
          name={t("duration")}
          value={t("atLeast", durationOf(seconds))}
          hint={t("atRate", { rate })}
        />
        <SendFigure name={t("excluded")} value={format.number(excluded)} />
      </dl>
      <ul className="grid gap-1 text-sm">
        {refused.map(({ code, rows }) => {
          const known = skips.find((one) => one === code);
          return known ? <li key={code}>{t(`skips.${known}`, { count: rows })}</li> : null;
        })}
        <li>
          {campaign.kind === "service"
            ? t("service")
            : t("consent", {
                source: campaign.consentSource ?? "",
                on: campaign.consentOn
                  ? format.dateTime(new Date(campaign.consentOn), {
                      dateStyle: "medium",
                      timeZone: "UTC",
                    })
                  : "",
              })}
        </li>
        {campaign.warnings.map(({ code }) => {
          const known = warnings.find((one) => one === code);
          return known ? (
            <li key={code} className="flex gap-2">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
              {t(`warnings.${known}`)}
            </li>
          ) : null;
        })}
        {messages === 0 ? <li className="font-medium">{t("nothingToSend")}</li> : null}
      </ul>
      <RefusedReasons refused={status.refused} open />
      {countries.length > 1 ? <Countries countries={countries} currency={currency} /> : null}
    </section>
  );
}

export function durationOf(seconds: number) {
  return {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor((seconds % 3_600) / 60),
    seconds: seconds % 60,
  };
}

function Countries({ countries, currency }: Pick<DryRun, "countries" | "currency">) {
  const t = useTranslations("sending");
  const format = useFormatter();
  const names = new Intl.DisplayNames(useLocale(), { type: "region", fallback: "code" });
  return (
    <Table caption={t("countries")} className="bg-surface">
      <thead>
        <tr>
          <TableHead>{t("country")}</TableHead>
          <TableHead className="text-right">{t("messages")}</TableHead>
          <TableHead className="text-right">{t("parts")}</TableHead>
          <TableHead className="text-right">{t("cost")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {countries.map(({ country, messages, parts, cost }) => (
          <TableRow key={country}>
            <TableCell>{country === "" ? t("noCountry") : names.of(country)}</TableCell>
            <TableCell className="text-right tabular-nums">{format.number(messages)}</TableCell>
            <TableCell className="text-right tabular-nums">{format.number(parts)}</TableCell>
            <TableCell className="text-right tabular-nums">
              {cost && currency ? moneyOf(format, cost, currency) : "–"}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
