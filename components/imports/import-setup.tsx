"use client";

import Link from "next/link";
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
import type { ImportPartProps } from "./import-part.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { DeleteImport } from "./import-results.tsx";
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

const unchanged = "unchanged";

interface SourceDomainsProps {
  workspace: string;
  shown: Import;
  source: ImportSource;
  hosts: readonly string[];
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

function SourceDomains({ workspace, shown, source, hosts, onOptions }: SourceDomainsProps) {
  const t = useTranslations("imports.source");
  const { domains } = shown.options;
  function choose(domain: string, value: string) {
    const { [domain]: _before, ...others } = domains;
    onOptions({ domains: value === unchanged ? others : { ...others, [domain]: value } });
  }
  return (
    <Card
      heading={t("domains")}
      note={t("domainsNote")}
      aside={
        <Link className="text-accent text-sm hover:underline" href={`/app/${workspace}/domains`}>
          {t("addDomain")}
        </Link>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {source.domains.map(({ domain, links }) => (
          <SelectField
            key={domain}
            label={t("domainLinks", { domain, links })}
            options={[
              {
                value: unchanged,
                label: hosts.includes(domain) ? t("keep", { domain }) : t("skip"),
              },
              ...hosts
                .filter((host) => host !== domain)
                .map((host) => ({ value: host, label: t("use", { host }) })),
            ]}
            value={domains[domain] ?? unchanged}
            onValueChange={(value) => choose(domain, value)}
          />
        ))}
      </div>
    </Card>
  );
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
  /** False: its columns and domains are known. */
  isFile: boolean;
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

const primary = "primary";
const skipRow = "skip";

function ImportOptionsCard(props: ImportOptionsCardProps) {
  const { workspace, options, isFile, onOptions } = props;
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
        {isFile ? <DomainFields {...props} /> : null}
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

function DomainFields({ hosts, options, onOptions }: ImportOptionsCardProps) {
  const t = useTranslations("imports");
  return (
    <>
      <SelectField
        label={t("domain")}
        options={[
          { value: primary, label: t("primaryDomain") },
          ...hosts.map((host) => ({ value: host, label: host })),
        ]}
        value={options.domain ?? primary}
        onValueChange={(value) => onOptions({ domain: value === primary ? null : value })}
      />
      <SelectField
        label={t("otherDomain")}
        options={[
          { value: skipRow, label: t("takenRefuse") },
          ...hosts.map((host) => ({ value: host, label: t("otherDomainUse", { host }) })),
        ]}
        value={options.otherDomain ?? skipRow}
        onValueChange={(value) => onOptions({ otherDomain: value === skipRow ? null : value })}
      />
    </>
  );
}
