import { getFormatter, getTranslations } from "next-intl/server";
import { ReasonButtons } from "#components/admin/reason-buttons";
import { Rows, RowsCard } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { readSystem } from "#lib/office/system";
import type { System } from "#lib/office/system/schema";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { changeJobAction } from "./actions.ts";

const bytesPerMegabyte = 2 ** 20;

export const generateMetadata = officeTitle("system");

export default async function SystemPage() {
  const operator = await requireOperator();
  const [nav, t, system] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.system"),
    readSystem(operator),
  ]);
  const { processes, queues, search, failed } = system;
  return (
    <>
      <PageHead heading={nav("system")} note={t("note")} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {processes ? <Processes processes={processes} /> : <Away heading={t("processes")} />}
        {queues ? <Queues queues={queues} /> : <Away heading={t("queues")} />}
        {search ? <SearchBacklog backlog={search} /> : <Away heading={t("search")} />}
        {failed ? <FailedJobs failed={failed} /> : <Away heading={t("jobs")} />}
        {processes?.map((one) => (
          <Metrics key={one.id} process={one} />
        ))}
      </div>
    </>
  );
}

async function Away({ heading }: { heading: string }) {
  const t = await getTranslations("admin.system");
  return <Card heading={heading} note={t("unavailable")} />;
}

type Process = NonNullable<System["processes"]>[number];

async function Processes({ processes }: { processes: readonly Process[] }) {
  const [t, format] = await Promise.all([getTranslations("admin.system"), getFormatter()]);
  return (
    <RowsCard
      caption={t("processes")}
      note={t("processesNote")}
      columns={[
        ...[t("process"), t("host"), t("state"), t("since")],
        ...[t("cpu"), t("memory"), t("delay")],
      ]}
      empty={t("unavailable")}
      rows={processes.map((one) => ({
        id: one.id,
        cells: [
          <a key="name" href={`#${anchorOf(one)}`} className="underline">
            {one.name}
          </a>,
          one.id,
          <Badge key="state" tone={one.lost ? "red" : "green"}>
            {t(one.lost ? "lost" : "running")}
          </Badge>,
          format.relativeTime(new Date(one.startedAt)),
          format.number(one.cpu, { style: "percent" }),
          t("megabytes", { count: format.number(Math.round(one.rssBytes / bytesPerMegabyte)) }),
          t("delayMs", { ms: format.number(one.delayMs, { maximumFractionDigits: 1 }) }),
        ],
      }))}
    />
  );
}

function anchorOf({ id }: Process): string {
  return `metrics-${id}`;
}

async function Metrics({ process }: { process: Process }) {
  const [t, format] = await Promise.all([getTranslations("admin.system"), getFormatter()]);
  const counters = Object.entries(process.counters).sort(([a], [b]) => a.localeCompare(b));
  if (counters.length === 0) return null;
  const heading = t("metrics", { name: `${process.name} (${process.id})` });
  return (
    <details id={anchorOf(process)} className="rounded-xl border border-line bg-surface p-5">
      <summary className="cursor-pointer font-semibold text-base">{heading}</summary>
      <div className="mt-4">
        <Rows
          caption={heading}
          columns={[t("metric"), t("value")]}
          empty=""
          rows={counters.map(([name, value]) => ({
            id: name,
            cells: [name, format.number(value)],
          }))}
        />
      </div>
    </details>
  );
}

async function Queues({ queues }: { queues: NonNullable<System["queues"]> }) {
  const [t, format] = await Promise.all([getTranslations("admin.system"), getFormatter()]);
  return (
    <RowsCard
      caption={t("queues")}
      columns={[t("queue"), t("waiting"), t("active"), t("delayed"), t("failed")]}
      empty={t("unavailable")}
      rows={queues.map(({ name, waiting, running, delayed, failed }) => ({
        id: name,
        cells: [name, ...[waiting, running, delayed, failed].map((count) => format.number(count))],
      }))}
    />
  );
}

async function SearchBacklog({ backlog }: { backlog: NonNullable<System["search"]> }) {
  const [t, format] = await Promise.all([getTranslations("admin.system"), getFormatter()]);
  const { links, seconds, workspaces } = backlog;
  return (
    <RowsCard
      caption={t("search")}
      note={t("searchNote")}
      columns={[t("searchLinks"), t("searchSeconds"), t("searchWorkspaces")]}
      empty=""
      rows={[
        { id: "search", cells: [links, seconds, workspaces].map((count) => format.number(count)) },
      ]}
    />
  );
}

async function FailedJobs({ failed }: { failed: NonNullable<System["failed"]> }) {
  const [t, format] = await Promise.all([getTranslations("admin.system"), getFormatter()]);
  return (
    <Card heading={t("jobs")} note={t("jobsNote")}>
      {failed.length === 0 ? (
        <p className="text-ink-muted text-sm">{t("noJobs")}</p>
      ) : (
        <ul aria-label={t("jobs")} className="grid gap-3">
          {failed.map((job) => (
            <li key={`${job.queue} ${job.id}`} className="grid gap-1 border-line border-t pt-3">
              <p className="break-words font-medium text-sm">
                {job.queue} {job.id}
              </p>
              <p className="break-words text-danger text-sm">{job.error}</p>
              <p className="break-all font-mono text-ink-muted text-xs">{job.data}</p>
              <p className="text-ink-muted text-xs">
                {format.relativeTime(new Date(job.failedAt))}
              </p>
              <div className="mt-1 flex gap-2">
                <ReasonButtons
                  size="sm"
                  label={t("reason")}
                  hint={t("reasonHint")}
                  changes={(["retry", "drop"] as const).map((verb) => ({
                    button: t(verb),
                    "aria-label": t(`${verb}Job`, { name: `${job.queue} ${job.id}` }),
                    variant: verb === "drop" ? "ghost" : undefined,
                    title: t(`${verb}Title`),
                    text: t(`${verb}Text`),
                    submit: t(verb),
                    done: t(verb === "retry" ? "retried" : "dropped"),
                    change: changeJobAction.bind(null, verb, job.queue, job.id),
                  }))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
