import { useFormatter, useMessages, useTranslations } from "next-intl";

interface AuditWords {
  fieldName: (field: string) => string;
  valueName: (field: string, value: unknown, zone: string) => string;
}

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/**
 * Fields and values of audit entries in words: those of the form in which they are edited. A field of a later version
 * has its technical name, so that nothing is missing from the log.
 */
export function useAuditWords(): AuditWords {
  const t = useTranslations("audit");
  const format = useFormatter();
  const { audit, history, members, folders, tags, shares } = useMessages();
  const fieldNames: Words = { ...history.fields, ...audit.fields };
  const valuesOf: Readonly<Record<string, Words>> = {
    role: members,
    accessLevel: folders.access,
    color: tags.colors,
    kind: shares.kinds,
    parts: shares.partNames,
  };
  const textOf = (field: string, value: string, zone: string) => {
    const at = moment.test(value) ? new Date(value) : undefined;
    if (at) {
      return format.dateTime(at, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
    }
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

function wordOf(words: Words | undefined, name: string): string | undefined {
  const word = words && Object.hasOwn(words, name) ? words[name] : undefined;
  return typeof word === "string" ? word : undefined;
}
