"use client";

import { RefreshCw } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { camelOf } from "#lib/basics/variants/schema";
import { checkWaitMs, type DestinationCheck, isBroken } from "#lib/links/destination-checks/schema";

interface DestinationCheckDetailProps {
  check: Omit<DestinationCheck, "url">;
  checkAgain: (() => Promise<FormAnswer<null>>) | null;
}

/** Whether the destination works, and a button that checks it now. */
export function DestinationCheckDetail({ check, checkAgain }: DestinationCheckDetailProps) {
  const t = useTranslations("destinationCheck");
  const format = useFormatter();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const [asked, setAsked] = useState<{ before: string | null }>();
  const isRunning = asked !== undefined && asked.before === check.checkedAt;
  useRefreshWhile(isRunning);
  const ask = (run: () => Promise<FormAnswer<null>>) =>
    start(async () => {
      if (!(await runAction(run))) return;
      setAsked({ before: check.checkedAt });
      setTimeout(() => setAsked(undefined), checkWaitMs);
    });
  const { checkedAt } = check;
  const date =
    checkedAt && format.dateTime(new Date(checkedAt), { dateStyle: "medium", timeStyle: "short" });
  return (
    <div className="grid gap-1 text-ink-muted text-xs">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <CheckState check={check} />
        {date ? <span>{t("at", { date })}</span> : null}
        {checkAgain ? (
          <Button
            size="sm"
            variant="ghost"
            pending={pending || isRunning}
            onClick={() => ask(checkAgain)}
          >
            <RefreshCw aria-hidden />
            {t(isRunning ? "running" : "again")}
          </Button>
        ) : null}
      </div>
      {check.failingSince && !isBroken(check.state) ? <p>{t("failing")}</p> : null}
    </div>
  );
}

function CheckState({ check }: Pick<DestinationCheckDetailProps, "check">) {
  const t = useTranslations("destinationCheck.states");
  const { state, status, checkedAt, redirectsTo } = check;
  if (isBroken(state)) {
    const name = t(camelOf(state));
    return <Badge tone="red">{status === null ? name : `${name} (${status})`}</Badge>;
  }
  if (state === "redirects") {
    return (
      <span className="min-w-0 break-all">
        {redirectsTo === null ? t("redirectsInApp") : t("redirects", { page: redirectsTo })}
      </span>
    );
  }
  return <span>{t(state === "unchecked" && checkedAt === null ? "never" : state)}</span>;
}
