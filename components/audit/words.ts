import { useFormatter, useMessages, useTranslations } from "next-intl";

interface AuditWords {
  fieldName: (field: string) => string;
  valueName: (field: string, value: unknown, zone: string) => string;
}

const idPattern = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/**
 * Fields and values of audit entries in words: those of the form in which they are edited. A field of a later version
 * has its technical name, so that nothing is missing from the log. Ids of objects become their names, or say that the
 * object is gone.
 */
export function useAuditWords(names: Readonly<Record<string, string>>): AuditWords {
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

/** The words of `links.read` and so on, by these names. */
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
