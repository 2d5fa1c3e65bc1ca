import { ArrowRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Avatar } from "#components/ui/avatar";
import type { PresentedAuditEntry } from "#lib/tenancy/audit/schema";
import { type AuditChange, actionOf, changesOf, operationOf } from "./actions.ts";
import { useAuditWords } from "./words.ts";

/** An entry with its user agent in readable form. */
export interface AuditListEntry extends PresentedAuditEntry {
  program: string;
}

interface AuditListProps {
  entries: readonly AuditListEntry[];
  /** Names of the objects that details mention, by their ids. */
  names: Readonly<Record<string, string>>;
  /** Times are in the workspace's zone. */
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
  // Without an address and a program: the instance itself has none, and a key is a source of its own.
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

const namelessActors = {
  system: "system",
  user: "formerPerson",
  api_key: "formerKey",
} as const;

function Sentence({ entry, actor }: { entry: AuditListEntry; actor: string }) {
  const t = useTranslations("audit");
  const strong = (text: ReactNode) => <strong className="font-medium">{text}</strong>;
  const action = actionOf(entry.action);
  // Ids are for the export and the API.
  const name = entry.subjectName ?? nameIn(entry.details) ?? "";
  const links = entry.action === "link.create" ? entry.details?.["links"] : undefined;
  if (typeof links === "number") return t.rich("createdLinks", { actor, count: links, strong });
  const operation = operationOf(entry.action);
  if (operation) return t.rich(`operations.${operation}`, { actor, name, strong });
  if (!action) {
    return t.rich("did", { actor, action: entry.action, name, strong });
  }
  return t.rich(`verbs.${action.verb}`, {
    actor,
    noun: t(`nouns.${action.noun}`),
    name,
    strong,
  });
}

/** A deleted object has the name stored in its entry. */
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
