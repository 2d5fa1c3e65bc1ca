import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { DomainAlarm } from "#lib/analytics/domain-health/schema";
import { dayFormat, dayOf, shareFormat, useAppLabel } from "./domain-apps.tsx";

interface DomainAlarmProps {
  alarm: DomainAlarm;
  host: string;
  /** Path of the setting for the default domain; null if the person may not change it. */
  defaultPath: string | null;
  dismiss: ReactNode;
}

export function DomainAlarmNote({ alarm, host, defaultPath, dismiss }: DomainAlarmProps) {
  const t = useTranslations("domainHealth");
  const label = useAppLabel();
  const app = label(alarm.app);
  if (alarm.dismissed) {
    return (
      <section className="grid gap-1 rounded-lg border border-line p-4 text-sm">
        <h3 className="font-medium">{t("alarmDismissed", { app })}</h3>
        <Evidence alarm={alarm} app={app} />
        <p className="text-ink-muted">{t("dismissedText")}</p>
      </section>
    );
  }
  return (
    <section className="grid gap-3 rounded-lg border border-danger p-4 text-sm">
      <h3 className="break-words font-semibold text-danger">{t("alarm", { app, host })}</h3>
      <Evidence alarm={alarm} app={app} />
      <ol className="grid list-decimal gap-1 pl-5">
        <li>{t("stepOpen", { app, host })}</li>
        <li>
          {alarm.appealUrl
            ? t.rich("stepAppeal", { url: () => <Appeal url={alarm.appealUrl ?? ""} /> })
            : t("stepAppealOther", { app })}
        </li>
        {defaultPath ? (
          <li>
            {t.rich("stepDefault", {
              link: (inside) => (
                <Link className="underline" href={defaultPath}>
                  {inside}
                </Link>
              ),
            })}
          </li>
        ) : null}
      </ol>
      <p className="text-ink-muted">{t("why")}</p>
      {dismiss ? <div>{dismiss}</div> : null}
    </section>
  );
}

function Appeal({ url }: { url: string }) {
  return (
    <a className="underline" href={url} target="_blank" rel="noreferrer">
      {new URL(url).host}
    </a>
  );
}

function Evidence({ alarm, app }: { alarm: DomainAlarm; app: string }) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  const { evidence, since } = alarm;
  const day = format.dateTime(dayOf(since), dayFormat);
  if (!evidence) return <p>{t("alarmChecker", { app, since: day })}</p>;
  const whole = (count: number) => format.number(count, { maximumFractionDigits: 0 });
  return (
    <>
      <p>
        {t("alarmVisits", {
          app,
          since: day,
          inApp: whole(evidence.inApp),
          visits: whole(evidence.visits),
          share: format.number(evidence.share, shareFormat),
          inAppBefore: whole(evidence.inAppBefore),
          visitsBefore: whole(evidence.visitsBefore),
          shareBefore: format.number(evidence.shareBefore, shareFormat),
        })}
      </p>
      <p className="text-ink-muted">{t("alarmChance", { app, oneIn: evidence.oneIn })}</p>
    </>
  );
}
