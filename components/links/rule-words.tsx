"use client";

import { useLocale, useTranslations } from "next-intl";
import { dayMs } from "#lib/basics/time/schema";
import type { Link } from "#lib/links/fields/schema";
import { withoutScheme } from "./names.ts";
import { listConditions, useRuleOptions } from "./rule-values.ts";
import { mondayUtc } from "./week.ts";

type Rule = NonNullable<Link["rules"]>[number];

export function RuleWords({ link }: { link: Link }) {
  const t = useTranslations("linkPage.ruleList");
  const rules = useRuleTexts()(link);
  if (rules.length === 0) return null;
  // In an A/B test, the details list the variants instead.
  const all = link.testVariants ? rules : [...rules, { text: t("otherwise"), url: link.url }];
  return (
    <ol className="grid list-decimal gap-1.5 pl-5 marker:text-ink-faint">
      {all.map(({ text, url }, at) => (
        // The order of rules is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be equal
        <li key={at}>
          {text} <Target url={url} />
        </li>
      ))}
    </ol>
  );
}

export function Target({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="break-all rounded-xs text-ink underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {withoutScheme(url)}
    </a>
  );
}

export type RuleFields = Partial<Pick<Link, "rules" | "ios" | "android" | "geo">>;

export function useRuleTexts(): (fields: RuleFields) => { text: string; url: string }[] {
  const t = useTranslations("linkPage.ruleList");
  const names = useTranslations("linkForm.rules.conditions");
  const locale = useLocale();
  const options = useRuleOptions();
  const or = new Intl.ListFormat(locale, { type: "disjunction" });
  const and = new Intl.ListFormat(locale, { type: "conjunction" });
  const timeText = useTimeText();

  function conditionsOf(rule: Rule): string[] {
    const lists = listConditions.flatMap((name) => {
      const values = rule[name] ?? [];
      if (values.length === 0) return [];
      const labels = new Map(options[name].map(({ value, label }) => [value, label]));
      const words = or.format(values.map((value) => labels.get(value) ?? value));
      return t("is", { name: names(name), values: words });
    });
    return rule.time ? [...lists, timeText(rule.time)] : lists;
  }

  const labelOf = (name: "os" | "country", value: string) =>
    options[name].find((option) => option.value === value)?.label ?? value;
  const single = (name: "os" | "country", value: string, url: string) => {
    const words = t("is", { name: names(name), values: labelOf(name, value) });
    return { text: t("if", { conditions: words }), url };
  };
  return ({ rules, ios, android, geo }) => [
    ...(rules ?? []).map((rule) => ({
      text: t("if", { conditions: and.format(conditionsOf(rule)) }),
      url: rule.url,
    })),
    ...(ios ? [single("os", "ios", ios)] : []),
    ...(android ? [single("os", "android", android)] : []),
    ...Object.entries(geo ?? {}).map(([country, url]) => single("country", country, url)),
  ];
}

function useTimeText() {
  const t = useTranslations("linkPage.ruleList");
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const or = new Intl.ListFormat(locale, { type: "disjunction" });
  return ({ days, from, until, zone }: NonNullable<Rule["time"]>): string => {
    if (!days) return t("time", { from, until, zone });
    const names = days.map((day) => format.format(mondayUtc + (day - 1) * dayMs));
    return t("timeOn", { days: or.format(names), from, until, zone });
  };
}
