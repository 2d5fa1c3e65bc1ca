import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { AppShare } from "#lib/analytics/domain-health/schema";
import { type AppName, appLabel } from "#lib/platform/request-info/schema";

export function DomainApps({ apps, until }: { apps: readonly AppShare[]; until: string | null }) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-medium text-sm">{t("apps")}</h3>
      <p className="max-w-prose text-ink-muted text-sm">
        {apps.length > 0 && until
          ? t("appsNote", { day: format.dateTime(dayOf(until), dayFormat) })
          : t("appsEmpty")}
      </p>
      {apps.length > 0 ? (
        <Table caption={t("apps")}>
          <thead>
            <tr>
              <TableHead>{t("columnApp")}</TableHead>
              <TableHead>{t("columnState")}</TableHead>
              <TableHead className="text-right">{t("columnShareBefore")}</TableHead>
              <TableHead className="text-right">{t("columnShareNow")}</TableHead>
              <TableHead className="text-right">{t("columnBefore")}</TableHead>
              <TableHead className="text-right">{t("columnNow")}</TableHead>
            </tr>
          </thead>
          <tbody>
            {apps.map((app) => (
              <AppRow key={app.app} share={app} />
            ))}
          </tbody>
        </Table>
      ) : null}
    </div>
  );
}

function AppRow({ share: it }: { share: AppShare }) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  const label = useAppLabel();
  const whole = (count: number) => format.number(count, { maximumFractionDigits: 0 });
  return (
    <TableRow>
      <TableCell className="font-medium">{label(it.app)}</TableCell>
      <TableCell>
        <Badge tone={it.state === "fallen" ? "red" : "green"}>{t(`appStates.${it.state}`)}</Badge>
      </TableCell>
      <TableCell className="text-right tabular-nums">
        {format.number(it.shareBefore, shareFormat)}
      </TableCell>
      <TableCell className="text-right tabular-nums">
        {format.number(it.share, shareFormat)}
      </TableCell>
      <TableCell className="text-right tabular-nums">
        {t("ofVisits", { inApp: whole(it.inAppBefore), visits: whole(it.visitsBefore) })}
      </TableCell>
      <TableCell className="text-right tabular-nums">
        {t("inDays", { inApp: whole(it.inApp), visits: whole(it.visits), days: it.days })}
      </TableCell>
    </TableRow>
  );
}

export const shareFormat = { style: "percent", maximumFractionDigits: 1 } as const;

/** Shows the same day to readers in every time zone. */
export const dayFormat = { dateStyle: "medium", timeZone: "UTC" } as const;

export function dayOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

export function useAppLabel(): (app: AppName) => string {
  const locale = useLocale();
  return (app) => appLabel(app, locale === "zh" ? "zh" : "en");
}
