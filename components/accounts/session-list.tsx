"use client";

import { Monitor } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { toast } from "#components/ui/toast";
import type { SessionSummary } from "#lib/identity/sessions/schema";

interface SessionListProps {
  sessions: readonly SessionSummary[];
  end: (id: string) => Promise<FormAnswer<null>>;
  endOthers: () => Promise<FormAnswer<null>>;
}

export function SessionList({ sessions, end, endOthers }: SessionListProps) {
  const t = useTranslations("security");
  const attempt = useAction();
  const [shown, hide] = useOptimistic(sessions, (before, ended: readonly string[]) =>
    before.filter(({ id }) => !ended.includes(id)),
  );
  const others = shown.filter(({ current }) => !current).map(({ id }) => id);

  function run(ended: readonly string[], action: () => Promise<FormAnswer<null>>, message: string) {
    startTransition(async () => {
      hide(ended);
      if (await attempt(action)) toast.success(message);
    });
  }

  return (
    <Card
      heading={t("sessions")}
      note={t("sessionsText")}
      aside={
        others.length > 0 ? (
          <Button onClick={() => run(others, endOthers, t("endedOthers"))}>{t("endOthers")}</Button>
        ) : null
      }
    >
      <ul aria-label={t("sessionsList")} className="divide-y divide-line">
        {shown.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => run([session.id], () => end(session.id), t("ended"))}
          />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session, onEnd }: { session: SessionSummary; onEnd: () => void }) {
  const t = useTranslations("security");
  const format = useFormatter();
  const place = usePlace(session);
  const { browser, os, current, createdAt, lastSeenAt, proofs } = session;
  const name = browser && os ? t("browserOn", { browser, os }) : (browser ?? t("unknownBrowser"));
  const timeOf = (at: string) =>
    format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
  const proved = format.list(proofs.map((proof) => t(`proofs.${proof}`)));
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <Monitor aria-hidden className="size-4 shrink-0 text-ink-muted" />
      <div className="grid min-w-0 flex-1">
        <span className="truncate text-sm">{name}</span>
        <span className="text-ink-muted text-xs">
          {t("lastSeen", { when: timeOf(lastSeenAt) })}
        </span>
        <span className="text-ink-muted text-xs">
          {t("signedIn", { when: timeOf(createdAt), proofs: proved })}
          {place ? ` · ${place}` : null}
        </span>
      </div>
      {current ? (
        <Badge tone="green">{t("thisOne")}</Badge>
      ) : (
        <Button variant="ghost" size="sm" aria-label={t("endOf", { name })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </li>
  );
}

/** Such as “Berlin, Germany”. */
function usePlace({ country, city }: SessionSummary): string {
  const regions = new Intl.DisplayNames(useLocale(), { type: "region", fallback: "code" });
  const t = useTranslations("security");
  const name = (country && regions.of(country)) || "";
  return city ? t("place", { city, country: name }) : name;
}
