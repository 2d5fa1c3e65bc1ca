import { GitCompareArrows } from "lucide-react";
import { notFound } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { moneyOf } from "#components/campaigns/send-figure";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { EmptyState } from "#components/ui/empty-state";
import { FormError } from "#components/ui/form-error";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { compareCampaigns } from "#lib/outreach/campaign-reports";
import {
  type CampaignReport,
  compareCampaignsQuery,
  comparedMax,
} from "#lib/outreach/campaign-reports/schema";
import { listCampaigns } from "#lib/outreach/campaigns";
import { type Campaign, listCampaignsQuery } from "#lib/outreach/campaigns/schema";
import { AppError } from "#lib/platform/errors";
import { type ListPageOf, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";

export const generateMetadata = titleOf("campaignReport.compareHeading");

export default async function ComparePage({ params, searchParams }: ListPageOf<"workspace">) {
  const [{ workspace }, { ids: asked = [] }] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  // A form sends one value per checkbox. A link sends all ids in one value.
  const ids = [...new Set([asked].flat().flatMap((text) => text.split(",")))].filter(Boolean);
  const query = compareCampaignsQuery.safeParse({ campaignIds: ids.join(",") });
  const [t, campaigns, reports] = await Promise.all([
    getTranslations("campaignReport"),
    listCampaigns(scope, listCampaignsQuery.parse({})),
    query.success ? compareCampaigns(scope, query.data).catch(missing) : [],
  ]);
  return (
    <>
      <BackLink href={`/app/${workspace}/campaigns`}>{t("campaigns")}</BackLink>
      <PageHead heading={t("compareHeading")} note={t("compareNote", { max: comparedMax })} />
      {campaigns.length < 2 ? (
        <EmptyState icon={<GitCompareArrows aria-hidden />} title={t("compareEmpty")}>
          {t("compareEmptyText")}
        </EmptyState>
      ) : (
        <div className="grid gap-4">
          <ReportChooser
            campaigns={campaigns}
            chosen={ids}
            wrong={ids.length > 1 && !query.success}
          />
          {reports.length > 0 ? (
            <ReportCompare reports={reports} base={`/app/${workspace}/campaigns`} />
          ) : null}
        </div>
      )}
    </>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}

interface ReportChooserProps {
  campaigns: readonly Campaign[];
  chosen: readonly string[];
  wrong: boolean;
}

/** Chooses the campaigns to compare. A plain form, so that the choice is in the URL and it works without scripts. */
function ReportChooser({ campaigns, chosen, wrong }: ReportChooserProps) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  return (
    <details
      open={chosen.length < 2 || wrong}
      className="rounded-xl border border-line bg-surface p-5"
    >
      <summary className="cursor-pointer rounded-sm font-semibold text-base">{t("choose")}</summary>
      <form className="mt-4 grid gap-4">
        <FormError>{wrong ? t("chooseWrong") : undefined}</FormError>
        <fieldset className="grid max-h-80 gap-1 overflow-y-auto">
          <legend className="sr-only">{t("choose")}</legend>
          {campaigns.map(({ id, name, recipients, createdAt }) => (
            <label
              key={id}
              className="flex items-center gap-3 rounded-md px-2 py-1.5 text-sm hover:bg-hover pointer-coarse:py-2.5"
            >
              <input
                type="checkbox"
                name="ids"
                value={id}
                defaultChecked={chosen.includes(id)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <span className="shrink-0 text-ink-muted">
                {t("recipientCount", { count: recipients })}
                <span className="hidden sm:inline">
                  {" · "}
                  {format.dateTime(new Date(createdAt), { dateStyle: "medium" })}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <Button type="submit" variant="solid">
            {t("compareAction")}
          </Button>
        </div>
      </form>
    </details>
  );
}

interface ReportCompareProps {
  reports: readonly CampaignReport[];
  base: string;
}

const counts = ["recipients", "sent", "delivered", "clicked", "clicks"] as const;

function ReportCompare({ reports, base }: ReportCompareProps) {
  const t = useTranslations("campaignReport");
  return (
    <>
      <Card heading={t("clickRate")} note={t("compareRates")}>
        <Rates reports={reports} />
      </Card>
      <Card heading={t("numbers")}>
        <Numbers reports={reports} base={base} />
      </Card>
    </>
  );
}

function Rates({ reports }: Pick<ReportCompareProps, "reports">) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const most = Math.max(...reports.map(({ clickRate }) => clickRate ?? 0), Number.EPSILON);
  return (
    <ul aria-label={t("clickRate")} className="grid gap-3 text-sm">
      {reports.map(({ campaignId, name, clickRate, rateOf }) => (
        <li key={campaignId} className="grid gap-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 truncate font-medium">{name}</span>
            <span className="shrink-0 tabular-nums">
              <strong className="font-semibold">
                {clickRate === null
                  ? "–"
                  : format.number(clickRate, { style: "percent", maximumFractionDigits: 1 })}
              </strong>{" "}
              <span className="text-ink-muted">{t("rateNote", { of: t(`bases.${rateOf}`) })}</span>
            </span>
          </span>
          <span aria-hidden className="h-3 overflow-hidden rounded-full bg-sunken">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${((clickRate ?? 0) / most) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Numbers({ reports, base }: ReportCompareProps) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const share = (part: number | null) =>
    part === null ? "–" : format.number(part, { style: "percent", maximumFractionDigits: 1 });
  const ratioOf = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const lines: [string, (report: CampaignReport) => string][] = [
    ...counts.map((name): [string, (report: CampaignReport) => string] => [
      t(`steps.${name}`),
      (report) => format.number(report[name]),
    ]),
    [t("deliveryRate"), ({ delivered, sent }) => share(ratioOf(delivered, sent))],
    [t("clickRate"), ({ clickRate }) => share(clickRate)],
    [t("optedOut"), ({ optedOut }) => (optedOut === null ? "–" : format.number(optedOut))],
    [t("notDelivered"), ({ failed, refused }) => format.number(failed + refused)],
    [
      t("cost"),
      ({ cost, currency }) => (cost !== null && currency ? moneyOf(format, cost, currency) : "–"),
    ],
  ];
  return (
    <Table caption={t("tableOf", { name: t("numbers") })}>
      <thead>
        <tr>
          <TableHead>{t("figure")}</TableHead>
          {reports.map(({ campaignId, name }) => (
            <TableHead key={campaignId} className="max-w-48 truncate text-right">
              <PrefetchLink
                href={`${base}/${campaignId}/report`}
                className="text-ink underline-offset-4 hover:underline"
              >
                {name}
              </PrefetchLink>
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, textOf]) => (
          <TableRow key={name}>
            <th scope="row" className="h-11 whitespace-nowrap px-3 text-left font-medium">
              {name}
            </th>
            {reports.map((report) => (
              <TableCell key={report.campaignId} className="text-right tabular-nums">
                {textOf(report)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
