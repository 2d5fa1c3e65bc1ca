import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import type { DomainHealth } from "#lib/analytics/domain-health/schema";
import { DomainApps, useAppLabel } from "./domain-apps.tsx";

interface DomainHealthProps {
  health: DomainHealth;
  alarms: ReactNode;
}

export function DomainHealthCard({ health, alarms }: DomainHealthProps) {
  const t = useTranslations("domainHealth");
  const { apps, comparedUntil } = health;
  return (
    <Card heading={t("heading")} note={t("note")}>
      {alarms}
      <dl className="grid gap-3 sm:grid-cols-2">
        <DnsState health={health} />
        <AnswerState health={health} />
        <CertificateState health={health} />
        <CheckerState health={health} />
      </dl>
      <DomainApps apps={apps} until={comparedUntil} />
    </Card>
  );
}

type StateProps = Pick<DomainHealthProps, "health">;

function DnsState({ health: { dns } }: StateProps) {
  const t = useTranslations("domainHealth");
  const isGood = dns.state === "ok" || dns.state === "elsewhere";
  return (
    <State name={t("dns")} mark={markOf(dns.state, isGood)} checkedAt={dns.checkedAt}>
      {t(`dnsStates.${dns.state}`)}
    </State>
  );
}

function AnswerState({ health: { answer } }: StateProps) {
  const t = useTranslations("domainHealth");
  const { state, status, checkedAt } = answer;
  return (
    <State name={t("answer")} mark={markOf(state, state === "ok")} checkedAt={checkedAt}>
      {t(`answerStates.${state}`, { status: String(status ?? "") })}
    </State>
  );
}

function CertificateState({ health: { certificate } }: StateProps) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  const { state, validUntil, issuer, checkedAt } = certificate;
  const until = validUntil ? format.dateTime(new Date(validUntil), { dateStyle: "medium" }) : "";
  return (
    <State name={t("certificate")} mark={markOf(state, state === "valid")} checkedAt={checkedAt}>
      {t(`certificateStates.${state}`, { until })}
      {issuer ? <span className="text-ink-muted"> · {t("issuer", { issuer })}</span> : null}
    </State>
  );
}

/** Renders nothing without a checker service. */
function CheckerState({ health: { checker } }: StateProps) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  const label = useAppLabel();
  if (!checker) return null;
  const { blockedIn, checkedAt } = checker;
  const isGood = blockedIn.length === 0;
  return (
    <State name={t("checker")} mark={isGood ? "good" : "bad"} checkedAt={checkedAt}>
      {isGood
        ? t("checkerNone")
        : t("checkerBlocked", { apps: format.list(blockedIn.map(label), { type: "conjunction" }) })}
    </State>
  );
}

type MarkName = "good" | "bad" | "unknown";

function markOf(state: string, isGood: boolean): MarkName {
  if (state === "unknown") return "unknown";
  return isGood ? "good" : "bad";
}

const marks = {
  good: [CircleCheck, "text-accent"],
  bad: [CircleAlert, "text-danger"],
  unknown: [CircleDashed, "text-ink-faint"],
} as const;

interface StateRowProps {
  name: string;
  mark: MarkName;
  checkedAt: string | null;
  children: ReactNode;
}

function State({ name, mark, checkedAt, children }: StateRowProps) {
  const t = useTranslations("domainHealth");
  const format = useFormatter();
  const [Icon, tone] = marks[mark];
  return (
    <div className="grid content-start gap-1 rounded-lg border border-line p-3 text-sm">
      <dt className="flex items-center gap-2 font-medium">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
        {name}
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
      {checkedAt ? (
        <dd className="text-ink-muted text-xs">
          {t("checkedAt", {
            at: format.dateTime(new Date(checkedAt), { dateStyle: "medium", timeStyle: "short" }),
          })}
        </dd>
      ) : null}
    </div>
  );
}
