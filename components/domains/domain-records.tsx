"use client";

import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ApiError, callApi } from "#components/forms/call-api.ts";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { CopyButton } from "#components/ui/copy-button";
import type { DnsRecord, Verification } from "#lib/links/domains/schema";

interface DomainRecordsProps {
  workspace: string;
  host: string;
  initial: Verification;
  mayCheck: boolean;
  /** The address that the browser used, as a record; null if that record would not help. */
  advice: { type: DnsRecord["type"]; value: string } | null;
}

/** The records that a domain needs, and what DNS returns. Checked repeatedly while the page is open. */
export function DomainRecords({ workspace, host, initial, mayCheck, advice }: DomainRecordsProps) {
  const t = useTranslations("domains");
  const format = useFormatter();
  const router = useRouter();
  const { verification, checking, refused, check } = useCheck({
    workspace,
    host,
    initial,
    mayCheck,
    onVerified: () => router.refresh(),
  });
  const { records, checkedAt, state, problems } = verification;
  return (
    <Card
      heading={t("records")}
      note={records.length > 0 ? t("recordsNote") : t("recordsNone")}
      aside={
        mayCheck && records.length > 0 ? (
          <Button pending={checking} onClick={check}>
            {t("check")}
          </Button>
        ) : null
      }
    >
      {records.length > 0 ? (
        <ul className="grid gap-3">
          {records.map((record) => (
            <RecordRow
              key={`${record.type} ${record.value}`}
              record={record}
              serves={state === "verified"}
            />
          ))}
        </ul>
      ) : null}
      <div role="status" className="grid gap-1 text-sm">
        {refused ? <p className="text-danger">{t(`checks.${refused}`)}</p> : null}
        <Problems verification={verification} />
        {records.length > 0 ? (
          <p className="text-ink-muted">
            {checkedAt
              ? t("checkedAt", {
                  at: format.dateTime(new Date(checkedAt), {
                    dateStyle: "medium",
                    timeStyle: "medium",
                  }),
                })
              : t("neverChecked")}
            {state === "pending" && mayCheck ? ` ${t("again")}` : ""}
          </p>
        ) : null}
      </div>
      {problems.includes("target_unknown") ? <Advice host={host} advice={advice} /> : null}
    </Card>
  );
}

function Problems({ verification }: { verification: Verification }) {
  const t = useTranslations("domains");
  const format = useFormatter();
  const { problems, state, failingSince, records, slug } = verification;
  const traffic = records.filter(({ purpose }) => purpose === "traffic");
  const values = {
    host: slug,
    found: traffic[0]?.found.join(", ") ?? "",
    name: records.find(({ purpose }) => purpose === "ownership")?.name ?? "",
  };
  return (
    <>
      {state === "verified" && records.length > 0 ? <p>{t("serves", { host: slug })}</p> : null}
      {failingSince ? (
        <p className="text-danger">
          {t("failing", {
            since: format.dateTime(new Date(failingSince), { dateStyle: "medium" }),
          })}
        </p>
      ) : null}
      {problems.map((problem) => (
        <p key={problem}>{t(`problems.${problem}`, values)}</p>
      ))}
    </>
  );
}

function Advice({ host, advice }: Pick<DomainRecordsProps, "host" | "advice">) {
  const t = useTranslations("domains");
  if (!advice) return null;
  const record = { ...advice, purpose: "traffic", name: host, found: [], ok: null } as const;
  return (
    <>
      <p className="text-sm">{t("advice", { value: advice.value })}</p>
      <ul aria-label={t("records")}>
        <RecordRow record={{ ...record, found: [] }} serves={false} />
      </ul>
    </>
  );
}

function RecordRow({ record, serves }: { record: DnsRecord; serves: boolean }) {
  const t = useTranslations("domains");
  const { type, name, value, found, ok, purpose } = record;
  return (
    <li className="grid gap-3 rounded-lg border border-line p-3">
      <div className="flex items-center gap-2 text-sm">
        <Mark ok={ok} serves={serves} />
        <span className="font-medium">{type}</span>
        <span className="text-ink-muted">{t(`purposes.${purpose}`)}</span>
      </div>
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1 text-sm">
        {(
          [
            [t("recordName"), name],
            [t("recordValue"), value],
          ] as const
        ).map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="min-w-0 break-all font-mono text-xs">{text}</dd>
            <dd>
              <CopyButton text={text} label={t("copy", { type, label })} />
            </dd>
          </div>
        ))}
        {ok === false ? (
          <div className="contents">
            <dt className="text-ink-muted">{t("recordFound")}</dt>
            <dd className="col-span-2 min-w-0 break-all py-1 font-mono text-xs">
              {found.length > 0 ? found.join(", ") : t("foundNone")}
            </dd>
          </div>
        ) : null}
      </dl>
    </li>
  );
}

/** A proxy may replace the record of an active domain, so a different value is not an error. */
function Mark({ ok, serves }: { ok: boolean | null; serves: boolean }) {
  const t = useTranslations("domains");
  const [Icon, tone, label] =
    ok === null
      ? ([CircleDashed, "text-ink-faint", t("notAsked")] as const)
      : ok
        ? ([CircleCheck, "text-accent", t("right")] as const)
        : ([CircleAlert, serves ? "text-ink-muted" : "text-danger", t("wrong")] as const);
  return (
    <>
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
      <span className="sr-only">{label}</span>
    </>
  );
}

const checkEveryMs = 5_000;

interface CheckOptions {
  workspace: string;
  host: string;
  initial: Verification;
  mayCheck: boolean;
  onVerified: () => void;
}

type CheckFailure = "taken" | "often" | "failed";
type CheckResult = { ok: true; verification: Verification } | { ok: false; refused: CheckFailure };

async function checkOnce(workspace: string, host: string): Promise<CheckResult> {
  try {
    const path = `/domains/${host}/verify`;
    const response = await callApi({ workspace, path, method: "POST" });
    return { ok: true, verification: asVerification(await response.json()) };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    return { ok: false, refused: failures.get(status) ?? "failed" };
  }
}

const failures = new Map<number, CheckFailure>([
  [409, "taken"],
  [429, "often"],
]);

/** Checks the DNS of a domain: on request, and periodically while it is pending and the page is visible. */
function useCheck({ workspace, host, initial, mayCheck, onVerified }: CheckOptions) {
  const [verification, setVerification] = useState(initial);
  const [checking, setChecking] = useState(false);
  const [refused, setRefused] = useState<CheckFailure>();
  const underway = useRef(false);

  async function runCheck() {
    if (underway.current) return;
    underway.current = true;
    const seen = await checkOnce(workspace, host);
    underway.current = false;
    setRefused(seen.ok ? undefined : seen.refused);
    if (!seen.ok) return;
    setVerification(seen.verification);
    if (seen.verification.verified && !verification.verified) onVerified();
  }

  const waits = mayCheck && !verification.verified && refused !== "taken";
  useVisibleInterval(waits ? checkEveryMs : undefined, () => void runCheck());

  function check() {
    setChecking(true);
    void runCheck().finally(() => setChecking(false));
  }
  return { verification, checking, refused, check };
}

/** Sound because the API validates with this schema. */
function asVerification(answer: unknown): Verification {
  return answer as Verification;
}
