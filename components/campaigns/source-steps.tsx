"use client";

import { Download, Pause, Play, Undo2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import type { SourceState, SourceStep } from "#lib/outreach/sources/schema";
import { ConfirmButton } from "../forms/confirm-button.tsx";
import { refusedUrl } from "./source-calls.ts";
import type { SourceProps } from "./source-part.ts";
import { useSourceStep } from "./use-source-step.ts";

const has = (states: readonly SourceState[], state: SourceState) => states.includes(state);

/** What can be done with a source that was started. */
export function SourceSteps(props: SourceProps) {
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
  /** Of the question. */
  title: string;
  action: string;
  text: string;
}

/** A step that is taken after a question. */
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
