"use client";

import { Download, Pause, Play, Undo2, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { Progress } from "#components/ui/progress";
import type { RecipientSource, SourceState, SourceStep } from "#lib/outreach/sources/schema";
import { readSource, refusedUrl } from "./source-calls.ts";
import { type SourceProps, useSourceStep } from "./source-part.ts";
import { SourceSetup } from "./source-setup.tsx";

const pollEveryMs = 1_000;

const tones = {
  ready: "blue",
  waiting: "gray",
  running: "blue",
  paused: "yellow",
  done: "green",
  failed: "red",
  cancelled: "gray",
  undoing: "blue",
  undone: "gray",
} as const;

const isOpen = ({ state }: RecipientSource) =>
  state === "waiting" || state === "running" || state === "undoing";

/** One source, from the review of its rows to the outcome. People may leave the page, because a worker adds the rows. */
export function SourceCard(props: SourceProps) {
  const { workspace, source, onShown } = props;
  const t = useTranslations("recipients");
  const router = useRouter();
  const { id, kind, name, audience, state, rows } = source;
  useVisibleInterval(isOpen(source) ? pollEveryMs : undefined, () => {
    readSource(workspace, id).then(
      (now) => {
        onShown(now);
        // The table of recipients and the counts show the outcome too.
        if (!isOpen(now)) router.refresh();
      },
      () => undefined, // the next poll reports it too
    );
  });
  return (
    <section
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <h2 className="min-w-0 truncate font-semibold text-sm">{name}</h2>
        <Badge tone={tones[state]} className="shrink-0">
          {t(`states.${state}`)}
        </Badge>
        <span className="text-ink-muted text-sm">
          {kind === "campaign" && audience ? `${t(`audiences.${audience}`)} · ` : null}
          {t("rows", { count: rows })}
        </span>
      </div>
      {state === "ready" ? <SourceSetup {...props} /> : <SourceOutcome {...props} />}
    </section>
  );
}

function SourceOutcome(props: SourceProps) {
  const { source } = props;
  const t = useTranslations("recipients");
  const { state, added, refused } = source;
  const isUndone = state === "undoing" || state === "undone";
  return (
    <>
      {isOpen(source) || state === "paused" ? <SourceProgress source={source} /> : null}
      {isUndone ? null : (
        <p className="text-sm tabular-nums">
          {t("outcome", { added, refused })}
          {isOpen(source) ? <span className="text-ink-muted"> {t("mayLeave")}</span> : null}
        </p>
      )}
      {state === "failed" ? <p className="text-danger text-sm">{t("failed")}</p> : null}
      {state === "undone" ? <p className="text-ink-muted text-sm">{t("wasUndone")}</p> : null}
      <SourceSteps {...props} />
    </>
  );
}

function SourceProgress({ source: { state, rows, done } }: Pick<SourceProps, "source">) {
  const t = useTranslations("recipients");
  const format = useFormatter();
  const share = rows > 0 ? done / rows : 0;
  const percent = format.number(share, { style: "percent", maximumFractionDigits: 0 });
  if (state === "undoing") return <Progress label={t("undoing")} share={undefined} />;
  return <Progress label={t("progress", { done, rows, percent })} share={share} />;
}

const has = (states: readonly SourceState[], state: SourceState) => states.includes(state);

function SourceSteps(props: SourceProps) {
  const { workspace, source, seesPeople } = props;
  const t = useTranslations("recipients");
  const { pending, run } = useSourceStep(props);
  const { id, name, kind, state, added, refused } = source;
  const mayDownload = kind === "file" && refused > 0 && has(["done", "failed", "paused"], state);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {has(["waiting", "running"], state) ? (
          <Button
            pending={pending}
            aria-label={t("pauseOf", { name })}
            onClick={() => run("pause")}
          >
            <Pause aria-hidden />
            {t("pause")}
          </Button>
        ) : null}
        {state === "paused" ? (
          <Button
            variant="solid"
            pending={pending}
            aria-label={t("resumeOf", { name })}
            onClick={() => run("start")}
          >
            <Play aria-hidden />
            {t("resume")}
          </Button>
        ) : null}
        {has(["waiting", "running", "paused"], state) ? <CancelSource {...props} /> : null}
        {mayDownload && seesPeople ? (
          <Button asChild>
            <a href={refusedUrl(workspace, id)} download aria-label={t("refusedOf", { name })}>
              <Download aria-hidden />
              {t("downloadRefused")}
            </a>
          </Button>
        ) : null}
        {added > 0 && has(["paused", "done", "failed", "cancelled"], state) ? (
          <UndoSource {...props} />
        ) : null}
      </div>
      {mayDownload ? (
        <p className="max-w-prose text-ink-muted text-sm">
          {t(seesPeople ? "refusedHint" : "refusedLocked")}
        </p>
      ) : null}
    </>
  );
}

function CancelSource(props: SourceProps) {
  const t = useTranslations("recipients");
  const { name, added } = props.source;
  return (
    <AskedStep
      {...props}
      step="cancel"
      button={
        <>
          <X aria-hidden />
          {t("cancel")}
        </>
      }
      label={t("cancelOf", { name })}
      title={t("cancelTitle", { name })}
      action={t("cancelAdding")}
      text={t("cancelText", { added })}
    />
  );
}

function UndoSource(props: SourceProps) {
  const t = useTranslations("recipients");
  const { name, added } = props.source;
  return (
    <AskedStep
      {...props}
      step="undo"
      button={
        <>
          <Undo2 aria-hidden />
          {t("undo")}
        </>
      }
      label={t("undoOf", { name })}
      title={t("undoTitle", { count: added })}
      action={t("undo")}
      text={t("undoText")}
    />
  );
}

interface AskedStepProps extends SourceProps {
  step: SourceStep;
  button: React.ReactNode;
  label: string;
  title: string;
  action: string;
  text: string;
}

function AskedStep({ step, button, label, title, action, text, ...props }: AskedStepProps) {
  const { pending, run } = useSourceStep(props);
  return (
    <ConfirmButton
      variant="ghost"
      pending={pending}
      aria-label={label}
      title={title}
      question={text}
      action={action}
      onConfirm={() => run(step)}
    >
      {button}
    </ConfirmButton>
  );
}
