import { ArrowRight } from "lucide-react";
import { useFormatter, useMessages, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Avatar } from "#components/ui/avatar";
import type { PresentedAuditEntry } from "#lib/tenancy/audit/schema";
import { type AuditChange, actionOf, changesOf, operationOf } from "./actions.ts";

export interface AuditListEntry extends PresentedAuditEntry {
  program: string;
}

interface AuditListProps {
  entries: readonly AuditListEntry[];
  /** Names of the objects that details mention, by their ids. */
  names: Readonly<Record<string, string>>;
  zone: string;
}

export function AuditList({ entries, names, zone }: AuditListProps) {
  const t = useTranslations("audit");
  return (
    <ol aria-label={t("heading")} className="rounded-xl border border-line bg-surface">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} names={names} zone={zone} />
      ))}
    </ol>
  );
}

interface EntryProps {
  entry: AuditListEntry;
  names: Readonly<Record<string, string>>;
  zone: string;
}

function Entry({ entry, names, zone }: EntryProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const at = new Date(entry.at);
  const actor = entry.actor.name ?? t(namelessActors[entry.actor.type]);
  const shown =
    entry.actor.type === "api_key" && entry.actor.name ? t("keyNamed", { name: actor }) : actor;
  const known = [entry.address ?? "", entry.program].filter((part) => part !== "");
  // What to show without an address and a program. The instance has neither, and an API key is a source in itself.
  const sources = { user: t("nowhere"), api_key: shown, system: "" };
  const where = known.join(" · ") || sources[entry.actor.type];
  return (
    <li className="flex gap-3 border-line border-b px-4 py-3 last:border-b-0">
      <Avatar name={actor} className="mt-0.5 size-7" />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="break-words text-sm">
          <Sentence entry={entry} actor={shown} />
        </p>
        <Changes entry={entry} names={names} zone={zone} />
        <p className="flex flex-wrap gap-x-2 text-ink-muted text-xs">
          <time dateTime={entry.at}>
            {format.dateTime(at, { dateStyle: "medium", timeStyle: "medium", timeZone: zone })}
          </time>
          {where === "" ? null : (
            <span className="break-all" title={entry.agent ?? undefined}>
              {where}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

const namelessActors = { system: "system", user: "formerPerson", api_key: "formerKey" } as const;

function Sentence({ entry, actor }: { entry: AuditListEntry; actor: string }) {
  const t = useTranslations("audit");
  const strong = (text: ReactNode) => <strong className="font-medium">{text}</strong>;
  const action = actionOf(entry.action);
  // Never shows an id here. The export and the API have them.
  const name = entry.subjectName ?? nameIn(entry.details) ?? "";
  const links = entry.action === "link.create" ? entry.details?.["links"] : undefined;
  if (typeof links === "number") return t.rich("createdLinks", { actor, count: links, strong });
  const operation = operationOf(entry.action);
  if (operation) return t.rich(`operations.${operation}`, { actor, name, strong });
  if (!action) {
    return t.rich("did", { actor, action: entry.action, name, strong });
  }
  return t.rich(`verbs.${action.verb}`, { actor, noun: t(`nouns.${action.noun}`), name, strong });
}

/** For a deleted object, the name that is stored in the entry. */
function nameIn(details: PresentedAuditEntry["details"]): string | undefined {
  const { name, slug, email, domain, key, text } = details ?? {};
  if (typeof domain === "string" && typeof key === "string") return `${domain}/${key}`;
  return [name, slug, email, text].find((one) => typeof one === "string");
}

function Changes({ entry, names, zone }: EntryProps) {
  const changes = changesOf(entry.details);
  if (changes.length === 0) return null;
  return (
    <dl className="grid gap-0.5 text-xs">
      {changes.map((change) => (
        <div key={change.field} className="flex flex-wrap items-baseline gap-x-2">
          <FieldName name={change.field} />
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 break-all">
            <Values change={change} names={names} zone={zone} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldName({ name }: { name: string }) {
  const { fieldName } = useAuditWords({});
  return <dt className="text-ink-muted">{fieldName(name)}</dt>;
}

interface ValuesProps {
  change: AuditChange;
  names: Readonly<Record<string, string>>;
  zone: string;
}

function Values({ change, names, zone }: ValuesProps) {
  const t = useTranslations("audit");
  const { valueName } = useAuditWords(names);
  const { field, from, to } = change;
  if (!("to" in change)) return t("changed");
  if (!("from" in change)) return valueName(field, to, zone);
  return (
    <>
      <del className="text-ink-muted">{valueName(field, from, zone)}</del>
      <ArrowRight role="img" aria-label={t("becomes")} className="size-3 self-center" />
      <ins className="no-underline">{valueName(field, to, zone)}</ins>
    </>
  );
}

interface AuditWords {
  fieldName: (field: string) => string;
  valueName: (field: string, value: unknown, zone: string) => string;
}

const idPattern = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/**
 * Fields and values of audit entries in words, as the form that edits them shows them. A field of a later version keeps its
 * technical name, so that nothing is missing from the log. Ids become the names of objects, or say that the object is gone.
 */
function useAuditWords(names: Readonly<Record<string, string>>): AuditWords {
  const t = useTranslations("audit");
  const format = useFormatter();
  const { audit, history, members, folders, tags, shares, apiKeys } = useMessages();
  const fieldNames: Words = { ...history.fields, ...audit.fields };
  const valuesOf: Readonly<Record<string, Words>> = {
    role: members,
    accessLevel: folders.access,
    color: tags.colors,
    kind: shares.kinds,
    parts: shares.partNames,
    scopes: { ...apiKeys.accessNames, ...flatten(apiKeys.permissionNames) },
  };
  const textOf = (field: string, value: string, zone: string) => {
    const at = moment.test(value) ? new Date(value) : undefined;
    if (at) {
      return format.dateTime(at, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
    }
    if (idPattern.test(value)) return names[value] ?? t("goneName");
    return wordOf(valuesOf[field], value) ?? value;
  };
  const plainName = (field: string, value: unknown, zone: string): string | undefined => {
    if (isNone(value)) return t("none");
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (typeof value === "number") return format.number(value);
    return typeof value === "string" ? textOf(field, value, zone) : undefined;
  };
  const valueName = (field: string, value: unknown, zone: string): string => {
    const parts = Array.isArray(value) ? value : [value];
    const names = parts.map((part) => plainName(field, part, zone));
    if (names.every((name) => name !== undefined)) return names.join(", ") || t("none");
    return t("entries", { count: Object.keys(Object(value)).length });
  };
  return { fieldName: (field) => wordOf(fieldNames, field) ?? field, valueName };
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

type Words = Readonly<Record<string, unknown>>;

function flatten(words: Readonly<Record<string, Words>>): Words {
  const flat = Object.entries(words).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, word]) => [`${noun}.${verb}`, word]),
  );
  return Object.fromEntries(flat);
}

function wordOf(words: Words | undefined, name: string): string | undefined {
  const word = words && Object.hasOwn(words, name) ? words[name] : undefined;
  return typeof word === "string" ? word : undefined;
}
