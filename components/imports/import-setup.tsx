"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { FolderField, TagsField } from "#components/links/tag-folder-fields";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { SelectField } from "#components/ui/labeled";
import { Switch } from "#components/ui/switch";
import type {
  ChangeImport,
  Import,
  ImportOptions,
  ImportSource,
  Preview,
} from "#lib/transfer/imports/schema";
import { ColumnTable } from "./column-table.tsx";
import { actOn, readPreview, saveSettings } from "./import-calls.ts";
import { type AddDomain, ImportDomains } from "./import-domains.tsx";
import type { ImportPartProps } from "./import-part.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { DeleteImport } from "./import-results.tsx";
import { useProblemMessages } from "./problem-messages.ts";

interface ImportSetupProps extends ImportPartProps {
  hosts: readonly string[];
  addDomain: AddDomain;
}

/** The columns and options of an import. Nothing is created until the final button is pressed. */
export function ImportSetup(props: ImportSetupProps) {
  const { workspace, shown, onShown, mayWrite, hosts, addDomain } = props;
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
        <SourceLeftOut source={shown.source} />
      ) : (
        <ColumnTable shown={shown} onMapping={(mapping) => change({ mapping })} />
      )}
      {preview ? (
        <ImportDomains
          workspace={workspace}
          shown={shown}
          preview={preview}
          hosts={hosts}
          addDomain={addDomain}
          onOptions={(options) => change({ options })}
        />
      ) : null}
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
          disabled={!ready || saving || preview.creates === 0}
          onClick={start}
        >
          {typeof preview?.creates === "number"
            ? t("create", { count: preview.creates })
            : t("start", { count: shown.rows })}
        </Button>
        <DeleteImport workspace={workspace} id={shown.id} />
      </div>
    </div>
  );
}

/** Saves the settings and loads their preview. Changes appear at once and are saved in sequence; a refused change is reverted. */
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

  /** Returns the saved import. Only the last change loads a preview. */
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

/** Removes undefined fields from a partial change. Sound because nothing else is removed. */
function definedOf<Options extends object>(options: Options | undefined) {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Options]: Exclude<Options[Name], undefined>;
  };
}

function SourceLeftOut({ source: { leftOut } }: { source: ImportSource }) {
  const t = useTranslations("imports.source");
  return (
    <Card heading={t("heading")} note={leftOut.length === 0 ? t("all") : t("note")}>
      {leftOut.length > 0 ? (
        <ul className="grid gap-1.5 text-sm">
          {leftOut.map(({ property, reason, links }) => (
            <li key={`${property} ${reason}`}>
              <span className="font-medium">
                {t("item", { property: nameOf(t, property), links })}
              </span>{" "}
              <span className="text-ink-muted">{t(`why.${reason}`)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

function nameOf(t: ReturnType<typeof useTranslations<"imports.source">>, property: string): string {
  const key = `properties.${property}` as "properties.rules";
  return t.has(key) ? t(key) : property;
}

interface ImportOptionsCardProps {
  workspace: string;
  hosts: readonly string[];
  options: ImportOptions;
  /** False for an import from another system, whose columns and domains are known. */
  isFile: boolean;
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

const primary = "primary";

function ImportOptionsCard(props: ImportOptionsCardProps) {
  const { workspace, hosts, options, isFile, onOptions } = props;
  const t = useTranslations("imports");
  return (
    <Card heading={t("options")} note={t("optionsNote")}>
      {isFile ? (
        <Switch
          label={t("heading1")}
          hint={t("heading1Hint")}
          checked={options.heading}
          onCheckedChange={(heading) => onOptions({ heading })}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {isFile ? (
          <SelectField
            label={t("domain")}
            options={[
              { value: primary, label: t("primaryDomain") },
              ...hosts.map((host) => ({ value: host, label: host })),
            ]}
            value={options.domain ?? primary}
            onValueChange={(value) => onOptions({ domain: value === primary ? null : value })}
          />
        ) : null}
        <SelectField
          label={t("onTakenKey")}
          options={[
            { value: "refuse", label: t("takenRefuse") },
            { value: "generate", label: t("takenGenerate") },
          ]}
          value={options.onTakenKey}
          onValueChange={(value) =>
            onOptions({ onTakenKey: value === "generate" ? "generate" : "refuse" })
          }
        />
        <SelectField
          label={t("onMissingName")}
          options={[
            { value: "make", label: t("missingMake") },
            { value: "refuse", label: t("takenRefuse") },
          ]}
          value={options.onMissingName}
          onValueChange={(value) =>
            onOptions({ onMissingName: value === "make" ? "make" : "refuse" })
          }
        />
        <FolderField
          workspace={workspace}
          folderId={options.folderId ?? ""}
          onFolderId={(id) => onOptions({ folderId: id === "" ? null : id })}
        />
        <TagsField
          workspace={workspace}
          tagIds={options.tagIds}
          onTagIds={(tagIds) => onOptions({ tagIds })}
        />
      </div>
    </Card>
  );
}
