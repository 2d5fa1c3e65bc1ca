"use client";

import { History as HistoryIcon, Undo2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { offerUndo } from "#components/ui/undo.ts";
import type { FieldChange, History, HistoryEntry } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";
import type { FieldsWith } from "#lib/links/link-columns/schema";
import { useInsideAppsText } from "./inside-apps-text.ts";
import { withoutScheme } from "./names.ts";
import { type RuleFields, useRuleTexts } from "./rule-words.tsx";

export interface RestoredLinkState {
  revision: number;
  leftOut: readonly string[];
}

interface LinkHistoryProps {
  history: History;
  createdAt: string;
  listHistory: (after: string) => Promise<FormAnswer<History>>;
  /** Restores the state after this entry, or the created state for null. The function is null if the link is read-only. */
  restore: ((entry: string | null, seen: number) => Promise<FormAnswer<RestoredLinkState>>) | null;
}

export function LinkHistory({ history, createdAt, listHistory, restore }: LinkHistoryProps) {
  const t = useTranslations("history");
  const older = useOlder(history, listHistory);
  const goBack = useRestore(history, restore);
  const { entries, more, names } = older;
  return (
    <section
      aria-labelledby="history-heading"
      className="mt-4 rounded-xl border border-line bg-surface"
    >
      <h2
        id="history-heading"
        className="flex items-center gap-2 border-line border-b px-4 py-3 font-medium text-sm"
      >
        <HistoryIcon aria-hidden className="size-4 text-ink-muted" />
        {t("heading")}
      </h2>
      <ol className="grid">
        {entries.map((entry, at) => (
          <Step
            key={entry.id}
            at={entry.at}
            actor={entry.actor}
            current={at === 0}
            onRestore={goBack && (() => goBack(entry.id))}
          >
            <Changes entry={entry} names={names} />
          </Step>
        ))}
        {more ? null : (
          <Step
            at={createdAt}
            actor={undefined}
            current={entries.length === 0}
            onRestore={goBack && (() => goBack(null))}
          >
            <p className="font-medium">{t("created")}</p>
          </Step>
        )}
      </ol>
      {more ? (
        <div className="border-line border-t px-4 py-3">
          <Button size="sm" pending={older.pending} onClick={older.load}>
            {t("more")}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function useOlder(history: History, listHistory: LinkHistoryProps["listHistory"]) {
  const runAction = useAction();
  const [read, setRead] = useState<{ of: History; pages: readonly History[] }>({
    of: history,
    pages: [],
  });
  const [pending, start] = useTransition();
  const pages = [history, ...(read.of.revision === history.revision ? read.pages : [])];
  const entries = pages.flatMap((page) => page.entries);
  function load() {
    start(async () => {
      const next = await runAction(() => listHistory(entries.at(-1)?.id ?? ""));
      if (next) setRead({ of: history, pages: [...pages.slice(1), next.done] });
    });
  }
  const names = Object.assign({}, ...pages.map((page) => page.names));
  return { entries, names, more: pages.at(-1)?.more ?? false, pending, load };
}

function useRestore(history: History, restore: LinkHistoryProps["restore"]) {
  const t = useTranslations("history");
  const common = useTranslations("common");
  const runAction = useAction();
  const leftOut = useLeftOut();
  if (!restore) return null;

  const goTo = (entry: string | null, revision: number) =>
    runAction(() => restore(entry, revision), t("notRestored"));
  return (entry: string | null) => {
    const before = history.entries[0]?.id ?? null;
    startTransition(async () => {
      const restored = await goTo(entry, history.revision);
      if (!restored) return;
      offerUndo({
        message: t("wentBack"),
        description: leftOut(restored.done),
        label: common("undo"),
        undo: () =>
          startTransition(async () => {
            if (await goTo(before, restored.done.revision)) toast.success(t("wentBack"));
          }),
      });
    });
  };
}

export function useLeftOut() {
  const t = useTranslations("history");
  return ({ leftOut }: RestoredLinkState): string | undefined => {
    if (leftOut.length === 0) return undefined;
    return t("leftOut", { fields: leftOut.map((field) => nameOf(t, field)).join(", ") });
  };
}

interface StepProps {
  at: string;
  actor: HistoryEntry["actor"] | undefined;
  current: boolean;
  onRestore: (() => void) | null;
  children: React.ReactNode;
}

function Step({ at, actor, current, onRestore, children }: StepProps) {
  const t = useTranslations("history");
  const format = useFormatter();
  const when = format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li className="grid gap-x-4 gap-y-1.5 border-line border-b px-4 py-3 text-sm last:border-b-0 sm:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <time dateTime={at} className="block tabular-nums">
          {when}
        </time>
        {actor ? <Actor actor={actor} /> : null}
      </div>
      <div className="min-w-0">{children}</div>
      <div className="sm:text-right">
        {current ? (
          <span className="text-ink-faint">{t("current")}</span>
        ) : onRestore ? (
          <Button size="sm" onClick={onRestore} aria-label={`${t("restore")}: ${when}`}>
            <Undo2 aria-hidden />
            {t("restore")}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function Actor({ actor: { name, type } }: { actor: HistoryEntry["actor"] }) {
  const t = useTranslations("history");
  const text = type === "system" ? t("system") : (name ?? t("unknownPerson"));
  return (
    <span className="block truncate text-ink-muted">
      {type === "api_key" ? `${t("apiKey")}: ${text}` : text}
    </span>
  );
}

const actionKeys: Readonly<Record<string, "deletedLink" | "restoredLink" | "retired">> = {
  "link.delete": "deletedLink",
  "link.restore": "restoredLink",
  "link.retire": "retired",
};

function Changes({ entry, names }: { entry: HistoryEntry; names: Record<string, string> }) {
  const t = useTranslations("history");
  if (entry.changes.length === 0) {
    return <p className="font-medium">{t(actionKeys[entry.action] ?? "other")}</p>;
  }
  return (
    <dl className="grid gap-1.5">
      {entry.changes.map((change) => (
        <div key={change.field} className="min-w-0">
          <dt className="inline font-medium">{nameOf(t, change.field)}</dt>{" "}
          <dd className="inline break-words">
            <Sides change={change} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Sides({ change, names }: { change: FieldChange; names: Record<string, string> }) {
  const t = useTranslations("history");
  const text = useValueText(names);
  const say = (value: unknown) =>
    change.field === "retiresAt" && value === "default" ? t("asWorkspace") : text(value);
  if (change.to === undefined) return <span className="text-ink-muted">{t("secret")}</span>;
  return (
    <ChangeLines {...change}>
      <del className="text-ink-muted decoration-ink-faint">{say(change.from)}</del>
      <span aria-hidden className="mx-1.5 text-ink-faint">
        →
      </span>
      <ins className="no-underline">{say(change.to)}</ins>
    </ChangeLines>
  );
}

const valueCharsMax = 300;
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const idPattern = /^(tag|fold)_[0-9A-Z]+$/;

function useValueText(names: Record<string, string>): (value: unknown) => string {
  const t = useTranslations("history");
  const format = useFormatter();
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  const sayText = (text: string) => {
    if (text === "") return t("none");
    if (idPattern.test(text)) return names[text] ?? t("goneName");
    return momentPattern.test(text) ? moment(text) : shorten(text);
  };
  const sayOther = (value: unknown) =>
    isDesign(value) ? t("ownDesign") : shorten(JSON.stringify(value));
  return (value) => {
    if (value === null) return t("none");
    if (typeof value === "boolean") return t(value ? "on" : "off");
    if (typeof value === "string") return sayText(value);
    if (isTexts(value)) return value.map(sayText).join(", ") || t("none");
    return sayOther(value);
  };
}

/** Designs are not listed by field: they have many, which mean little without an image. */
function isDesign(value: unknown): boolean {
  return value instanceof Object && "dots" in value;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function shorten(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}

type Translations = ReturnType<typeof useTranslations<"history">>;

/** Fields that members can change. If one of them has no text, this does not compile. */
type FieldKey = `fields.${FieldsWith<{ form: string }> | "tagIds" | "bannedAt"}`;

function nameOf(t: Translations, field: string): string {
  // Sound because the next line checks the key.
  const key = `fields.${field}` as FieldKey;
  return t.has(key) ? t(key) : field;
}

type Variants = NonNullable<Link["testVariants"]>;

function useLinesOf(): (field: string, value: unknown) => string[] | undefined {
  const t = useTranslations("linkPage");
  const format = useFormatter();
  const ruleTexts = useRuleTexts();
  const insideAppsText = useInsideAppsText();
  const ruleLines = (fields: RuleFields) =>
    ruleTexts(fields).map(({ text, url }) => `${text} ${withoutScheme(url)}`);
  const variantLine = ({ url, percentage }: Variants[number]) => {
    const share = { style: "percent", maximumFractionDigits: 2 } as const;
    const part = t("variantShare", { percentage: format.number(percentage / 100, share) });
    return `${part} ${withoutScheme(url)}`;
  };
  return (field, value) => {
    const { rules, geo, testVariants, insideApps } = asStored(field, value);
    switch (field) {
      case "rules":
        return ruleLines({ rules: rules ?? [] });
      case "geo":
        return ruleLines({ geo: geo ?? null });
      case "testVariants":
        return (testVariants ?? []).map(variantLine);
      case "insideApps":
        return insideApps ? [insideAppsText(insideApps)] : [];
      default:
        return undefined;
    }
  };
}

interface StoredFields extends Pick<RuleFields, "rules" | "geo"> {
  testVariants?: Variants | null;
  insideApps?: Link["insideApps"] | null;
}

/** Sound because the history stores values as the API returns them. */
function asStored(field: string, value: unknown): StoredFields {
  return { [field]: value } as StoredFields;
}

interface ChangeLinesProps {
  field: string;
  from?: unknown;
  to?: unknown;
  children?: React.ReactNode;
}

export function ChangeLines({ field, from, to, children }: ChangeLinesProps) {
  const linesOf = useLinesOf();
  const [before, after] = [linesOf(field, from), linesOf(field, to)];
  if (!before || !after) return children;
  return (
    <>
      <del className="block text-ink-muted decoration-ink-faint">
        <Lines lines={before} />
      </del>
      <ins className="mt-1 block no-underline">
        <Lines lines={after} />
      </ins>
    </>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  const t = useTranslations("history");
  const shown = lines.length > 0 ? lines : [t("none")];
  return shown.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be equal, and their order is their identity
    <span key={at} className="block break-words">
      {line}
    </span>
  ));
}
