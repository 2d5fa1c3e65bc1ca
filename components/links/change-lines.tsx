"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Link } from "#lib/links/fields/schema";
import { useInsideAppsText } from "./inside-apps-text.ts";
import { withoutScheme } from "./names.ts";
import { type RuleFields, useRuleTexts } from "./rule-words.tsx";

type Variants = NonNullable<Link["testVariants"]>;

/** The rules or variants of a link in one of its past states, one per line; undefined for other fields. */
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

/** Sound because the history has values of the link as the API answers them, by the names of their fields. */
function asStored(field: string, value: unknown): StoredFields {
  return { [field]: value } as StoredFields;
}

interface ChangeLinesProps {
  field: string;
  from?: unknown;
  to?: unknown;
  /** For all other fields. */
  children?: React.ReactNode;
}

/** A change of rules or variants in words, with both sides. */
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
