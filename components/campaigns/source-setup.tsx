"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { FormError } from "#components/ui/form-error";
import { SelectField } from "#components/ui/labeled";
import { Skeleton } from "#components/ui/skeleton";
import { Switch } from "#components/ui/switch";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type {
  ChangeSource,
  RecipientSource,
  SourceMapping,
  SourcePreview,
} from "#lib/outreach/sources/schema";
import { requiredColumns } from "./campaign-draft.ts";
import { readPreview, readSource } from "./source-calls.ts";
import {
  type SourcePartProps,
  type SourceProps,
  useRecipientProblem,
  useSourceStep,
} from "./source-part.ts";

/** Sets the columns and rows of a source. No recipient is added until the final button is pressed. */
export function SourceSetup(props: SourceProps) {
  const { source, campaign } = props;
  const t = useTranslations("recipients");
  const { pending, run } = useSourceStep(props);
  const { preview, hasFailed, saving, change } = useSettings(props);
  const { kind, name, rows, mapping } = source;
  const isReady = preview !== undefined && preview.obstacle === null;
  // If the preview has all rows, those with problems are not counted.
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

/** Saves the columns and loads the preview. Changes appear at once; a refused change is reverted. */
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
      // Another session may have started it in the meantime. Then it has no preview anymore.
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

  function change(settings: Partial<{ heading: boolean; mapping: SourceMapping | null }>) {
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

const noColumn = "none";
const emptyMapping: SourceMapping = { phone: null, messageId: null, columns: {} };

interface SourceColumnsProps extends Pick<SourcePartProps, "campaign"> {
  source: RecipientSource;
  columns: SourcePreview["columns"];
  onChange: (settings: { heading?: boolean; mapping?: SourceMapping }) => void;
}

function SourceColumns({ campaign, source, columns, onChange }: SourceColumnsProps) {
  const t = useTranslations("recipients");
  const mapping = source.mapping ?? emptyMapping;
  const names = campaign.columns.map(({ name }) => name);
  const required = new Set(
    campaign.variants.flatMap(({ template }) => requiredColumns(template, names)),
  );
  const options = columns.map(({ name, samples }, at) => ({
    value: String(at),
    label: [name || t("columnNumber", { number: at + 1 }), samples[0]].filter(Boolean).join(" · "),
  }));
  const fields = [
    { key: "phone", label: t("phone"), at: mapping.phone, hint: undefined },
    ...names.map((name) => ({
      key: `column ${name}`,
      label: name,
      at: mapping.columns[name] ?? null,
      hint: required.has(name) && mapping.columns[name] === undefined ? t("needed") : undefined,
    })),
    { key: "messageId", label: t("messageId"), at: mapping.messageId, hint: t("messageIdHint") },
  ];
  function choose(key: string, at: number | null) {
    if (key === "phone" || key === "messageId")
      return onChange({ mapping: { ...mapping, [key]: at } });
    const { [key.slice("column ".length)]: _before, ...rest } = mapping.columns;
    const chosen = at === null ? {} : { [key.slice("column ".length)]: at };
    onChange({ mapping: { ...mapping, columns: { ...rest, ...chosen } } });
  }
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">{t("columns")}</legend>
      <Switch
        label={t("heading")}
        checked={source.heading}
        disabled={source.rows + (source.heading ? 1 : 0) < 2}
        onCheckedChange={(heading) => onChange({ heading })}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map(({ key, label, at, hint }) => (
          <SelectField
            key={key}
            label={label}
            outerClass="content-start"
            {...(hint ? { hint } : {})}
            options={[{ value: noColumn, label: t("noColumn") }, ...options]}
            value={at === null ? noColumn : String(at)}
            onValueChange={(value) => choose(key, value === noColumn ? null : Number(value))}
          />
        ))}
      </div>
    </fieldset>
  );
}

const rowsShown = 5;
const problemsShown = 10;

interface SourceRowsProps {
  preview: SourcePreview;
  stale: boolean;
  rows: number;
}

type PreviewRow = SourcePreview["rows"][number];

function SourceRows({ preview, stale, rows }: SourceRowsProps) {
  const t = useTranslations("recipients");
  const bad = preview.rows.filter(({ code }) => code !== null);
  const good = preview.rows.filter(({ code }) => code === null);
  if (preview.obstacle !== null) return null;
  if (rows === 0) return <p className="text-ink-muted text-sm">{t("nobody")}</p>;
  return (
    <div
      aria-busy={stale}
      className={classNames("grid min-w-0 gap-4 transition-opacity", stale && "opacity-60")}
    >
      {bad.length > 0 ? <Problems rows={bad} /> : null}
      {bad.length === 0 && good.length > 0 ? (
        <p className="text-ink-muted text-sm">
          {t(preview.rows.length < rows ? "noProblemsFirst" : "noProblems", {
            count: preview.rows.length,
          })}
        </p>
      ) : null}
      {good.length > 0 ? <FirstMessages rows={good} /> : null}
    </div>
  );
}

function Problems({ rows }: { rows: readonly PreviewRow[] }) {
  const t = useTranslations("recipients");
  const say = useRecipientProblem();
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, problemsShown);
  const heading = t("rowProblems", { count: rows.length });
  return (
    <section aria-label={heading} className="grid gap-2">
      <h3 className="font-medium text-sm">{heading}</h3>
      <p className="text-ink-muted text-sm">{t("rowProblemsNote")}</p>
      <ul className="grid gap-1 text-sm">
        {shown.map(({ line, phone, code, column }) => (
          <li key={line} className="flex flex-wrap gap-x-2">
            <span className="shrink-0 font-medium tabular-nums">{t("line", { line })}</span>
            {phone ? <span className="text-ink-muted tabular-nums">{phone}</span> : null}
            <span className="min-w-0 break-words text-danger">{say(code ?? "", column)}</span>
          </li>
        ))}
      </ul>
      {shown.length < rows.length ? (
        <Button className="justify-self-start" onClick={() => setAll(true)}>
          {t("moreProblems", { count: rows.length - shown.length })}
        </Button>
      ) : null}
    </section>
  );
}

function FirstMessages({ rows }: { rows: readonly PreviewRow[] }) {
  const t = useTranslations("recipients");
  return (
    <Table caption={t("firstMessages")}>
      <thead>
        <tr>
          <TableHead className="hidden sm:table-cell">{t("lineHead")}</TableHead>
          <TableHead>{t("phone")}</TableHead>
          <TableHead className="w-full">{t("message")}</TableHead>
          <TableHead className="text-right">{t("parts")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, rowsShown).map(({ line, phone, text, parts }) => (
          <TableRow key={line}>
            <TableCell className="hidden text-ink-muted tabular-nums sm:table-cell">
              {line}
            </TableCell>
            <TableCell className="tabular-nums">{phone}</TableCell>
            <TableCell className="min-w-40 whitespace-normal break-words py-2">
              {text ?? <span className="text-ink-muted">{t("hiddenText")}</span>}
            </TableCell>
            <TableCell className="text-right tabular-nums">{parts}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
