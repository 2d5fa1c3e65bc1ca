"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { Skeleton } from "#components/ui/skeleton";
import type {
  ChangeSource,
  RecipientSource,
  SourceMapping,
  SourcePreview,
} from "#lib/outreach/sources/schema";
import { readPreview, readSource } from "./source-calls.ts";
import { SourceColumns } from "./source-columns.tsx";
import type { SourceProps } from "./source-part.ts";
import { SourceRows } from "./source-rows.tsx";
import { useSourceStep } from "./use-source-step.ts";

/** Columns and rows of a source. Nobody is added before the final button. */
export function SourceSetup(props: SourceProps) {
  const { source, campaign } = props;
  const t = useTranslations("recipients");
  const { pending, run } = useSourceStep(props);
  const { preview, hasFailed, saving, change } = useSettings(props);
  const { kind, name, rows, mapping } = source;
  const isReady = preview !== undefined && preview.obstacle === null;
  // Where the preview has all rows, those with problems are not promised.
  const tried = preview?.rows ?? [];
  const count = tried.length < rows ? rows : tried.filter(({ code }) => code === null).length;
  return (
    <>
      {kind === "file" && preview ? (
        <SourceColumns
          campaign={campaign}
          source={source}
          columns={preview.columns}
          onChange={change}
        />
      ) : null}
      <FormError>{hasFailed ? t("notPreviewed") : undefined}</FormError>
      <FormError>
        {preview && mapping?.phone === null && kind === "file" ? t("noPhoneColumn") : undefined}
      </FormError>
      {preview ? (
        <SourceRows preview={preview} stale={saving} rows={rows} />
      ) : hasFailed ? null : (
        <Skeleton className="h-32 w-full" />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="solid"
          pending={pending}
          disabled={!isReady || saving || count === 0}
          onClick={() => run("start")}
        >
          {t("start", { count })}
        </Button>
        <Button
          variant="ghost"
          disabled={pending}
          aria-label={t("discardOf", { name })}
          onClick={() => run("cancel")}
        >
          {t("discard")}
        </Button>
      </div>
    </>
  );
}

interface SourceSettings {
  heading: boolean;
  mapping: SourceMapping | null;
}

/** Saves the columns and loads the preview. Changes appear at once; a refused one is reverted. */
function useSettings({ workspace, source, actions, onShown }: SourceProps) {
  const runAction = useAction();
  const [preview, setPreview] = useState<SourcePreview>();
  const [hasFailed, setHasFailed] = useState(false);
  const [saving, setSaving] = useState(false);
  const turn = useRef(0);
  const last = useRef<Promise<RecipientSource>>(Promise.resolve(source));

  async function load(number: number): Promise<void> {
    try {
      const found = await readPreview(workspace, source.id);
      if (number !== turn.current) return;
      setPreview(found);
      setHasFailed(false);
    } catch {
      // It may have been started elsewhere meanwhile: then it has no preview any more.
      const now = await readSource(workspace, source.id).catch(() => source);
      if (now.state === source.state) setHasFailed(true);
      else onShown(now);
    }
  }

  async function save(number: number, saved: RecipientSource, body: ChangeSource) {
    const answer = await runAction(() => actions.change(source.id, body));
    const now = answer?.done ?? saved;
    if (number !== turn.current) return now;
    onShown(now);
    await load(number);
    setSaving(false);
    return now;
  }

  function change(settings: Partial<SourceSettings>) {
    const number = ++turn.current;
    const { heading = source.heading, mapping = source.mapping } = settings;
    setSaving(true);
    onShown({ ...source, heading, mapping });
    const body = { heading, ...(mapping ? { mapping } : {}) };
    last.current = last.current.then((saved) => save(number, saved, body));
  }

  const begin = useEffectEvent(() => void load(turn.current));
  useEffect(() => begin(), []);
  return { preview, hasFailed, saving, change };
}
