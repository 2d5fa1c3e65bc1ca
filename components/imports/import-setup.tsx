"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import type { ChangeImport, Import, Preview } from "#lib/transfer/imports/schema";
import { ColumnTable } from "./column-table.tsx";
import { actOn, readPreview, saveSettings } from "./import-calls.ts";
import { ImportOptionsCard } from "./import-options.tsx";
import type { ImportPartProps } from "./import-part.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { DeleteImport } from "./import-results.tsx";
import { SourceDomains, SourceLeftOut } from "./import-source.tsx";
import { useProblemMessages } from "./problem-messages.ts";

interface ImportSetupProps extends ImportPartProps {
  hosts: readonly string[];
}

/** Columns and options of an import. Nothing is created before the final button. */
export function ImportSetup({ workspace, shown, onShown, mayWrite, hosts }: ImportSetupProps) {
  const t = useTranslations("imports");
  const { sayError } = useProblemMessages();
  const { preview, saving, error, change } = useSettings(workspace, shown, onShown);
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<string>();

  function start() {
    setStarting(true);
    setRefused(undefined);
    actOn(workspace, shown.id, "start").then(onShown, (failure: Error) => {
      setStarting(false);
      setRefused(sayError(failure));
    });
  }

  if (!mayWrite) return <p className="text-ink-muted text-sm">{t("notYours")}</p>;
  const ready = preview !== undefined && preview.obstacle === null;
  return (
    <div className="grid gap-4">
      {shown.source ? (
        <>
          <SourceDomains
            workspace={workspace}
            shown={shown}
            source={shown.source}
            hosts={hosts}
            onOptions={(options) => change({ options })}
          />
          <SourceLeftOut source={shown.source} />
        </>
      ) : (
        <ColumnTable shown={shown} onMapping={(mapping) => change({ mapping })} />
      )}
      <ImportOptionsCard
        workspace={workspace}
        hosts={hosts}
        options={shown.options}
        isFile={shown.source === null}
        onOptions={(options) => change({ options })}
      />
      <FormError>{error}</FormError>
      <ImportPreview preview={preview} stale={saving} />
      <FormError>{refused}</FormError>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="solid"
          size="lg"
          pending={starting}
          disabled={!ready || saving}
          onClick={start}
        >
          {t("start", { count: shown.rows })}
        </Button>
        <DeleteImport workspace={workspace} id={shown.id} />
      </div>
    </div>
  );
}

/**
 * Saves the settings and loads their preview. Changes appear at once and are saved in sequence; a refused one is
 * reverted.
 */
function useSettings(workspace: string, shown: Import, onShown: (shown: Import) => void) {
  const { sayError } = useProblemMessages();
  const [preview, setPreview] = useState<Preview>();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const turn = useRef(0);
  const last = useRef(Promise.resolve(shown));

  async function showPreview(number: number): Promise<void> {
    const found = await readPreview(workspace, shown.id);
    if (number === turn.current) setPreview(found);
  }

  /** The saved import. Only the last change loads a preview. */
  async function save(number: number, saved: Import, body: ChangeImport): Promise<Import> {
    const isLast = () => number === turn.current;
    try {
      const now = await saveSettings(workspace, shown.id, body);
      if (isLast()) onShown(now);
      if (isLast()) await showPreview(number);
      return now;
    } catch (refused) {
      onShown(saved);
      setError(refused instanceof Error ? sayError(refused) : String(refused));
      return saved;
    } finally {
      if (isLast()) setSaving(false);
    }
  }

  function change(body: ChangeImport) {
    const number = ++turn.current;
    setSaving(true);
    setError(undefined);
    onShown({
      ...shown,
      ...(body.mapping ? { mapping: body.mapping } : {}),
      options: { ...shown.options, ...definedOf(body.options) },
    });
    last.current = last.current.then((saved) => save(number, saved, body));
  }

  const begin = useEffectEvent(() => {
    showPreview(turn.current).catch((failure: Error) => setError(sayError(failure)));
  });
  useEffect(() => begin(), []);
  return { preview, saving, error, change };
}

/** The fields of a partial change. Sound because only undefined values are removed. */
function definedOf<Options extends object>(options: Options | undefined) {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Options]: Exclude<Options[Name], undefined>;
  };
}
