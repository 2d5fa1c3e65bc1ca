"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { Button } from "#components/ui/button";
import { Progress } from "#components/ui/progress";
import type { ListChange, ReplaceHost } from "#lib/links/editing/schema";
import type { HostPreview, ListJob } from "#lib/links/list-jobs/schema";

export interface ListJobActions {
  start: (search: string, change: ListChange) => Promise<FormAnswer<ListJob>>;
  /** For the links with these ids, or all that a search finds. */
  previewHost: (links: string | string[], step: ReplaceHost) => Promise<FormAnswer<HostPreview>>;
  undo: (id: string) => Promise<FormAnswer<ListJob>>;
  dismiss: (id: string) => Promise<FormAnswer<null>>;
}

interface ListJobNoteProps {
  job: ListJob;
  now: number;
  actions: ListJobActions;
}

export function ListJobNote({ job, now, actions }: ListJobNoteProps) {
  const t = useTranslations("listJob");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const isOpen = !["done", "failed", "undone"].includes(job.state);
  useRefreshWhile(isOpen);
  const act = (run: () => Promise<FormAnswer<unknown>>) =>
    start(async () => void (await runAction(run)));
  const mayUndo = job.undoUntil !== null && Date.parse(job.undoUntil) > now;
  const share = job.total > 0 ? Math.min(1, job.done / job.total) : undefined;
  return (
    <section
      aria-label={t("label")}
      className="mt-4 grid gap-2 rounded-xl border border-line bg-surface p-3 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto font-medium">
          <JobText job={job} isOpen={isOpen} />
        </p>
        {mayUndo ? (
          <Button size="sm" pending={pending} onClick={() => act(() => actions.undo(job.id))}>
            {t("undo")}
          </Button>
        ) : null}
        {isOpen ? null : (
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("dismiss")}
            onClick={() => act(() => actions.dismiss(job.id))}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
      {isOpen ? (
        <Progress label={t("progress", { done: job.done, total: job.total })} share={share} />
      ) : null}
      {!isOpen && job.refused > 0 ? (
        <p className="text-ink-muted">{t("refused", { count: job.refused })}</p>
      ) : null}
    </section>
  );
}

function JobText({ job: { state, kind, changed }, isOpen }: { job: ListJob; isOpen: boolean }) {
  const t = useTranslations("listJob");
  const isUndo = state === "undo_waiting" || state === "undoing" || state === "undone";
  if (isOpen) return t(isUndo ? "undoing" : `running.${kind}`);
  if (state === "failed") return t("failed", { count: changed });
  return isUndo ? t("undone", { count: changed }) : t(`done.${kind}`, { count: changed });
}
