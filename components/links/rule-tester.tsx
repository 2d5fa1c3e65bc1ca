"use client";

import { Check, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { instantIn } from "#lib/basics/time/schema";
import { type TryResult, tryResultShape } from "#lib/redirect/routing-rules/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { choicesOf } from "./draft-body.ts";
import type { LinkDraft } from "./link-draft.ts";
import { withoutScheme } from "./names.ts";
import { useRuleOptions } from "./rule-values.ts";

const safari = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
/** User agents of devices. The redirect parses the same text, so a test gives the same result as a visit. */
const agents = {
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
  android: `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome} Mobile Safari/537.36`,
  windows: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`,
  mac: `Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) ${safari} Safari/605.1.15`,
  ipad: `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
  wechat: `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome} Mobile Safari/537.36 MicroMessenger/8.0.50`,
  linux: `Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`,
} as const;
type AgentName = keyof typeof agents;
const agentNames = Object.keys(agents) as AgentName[];

interface TestVisitor {
  agent: AgentName;
  country: string;
  region: string;
  city: string;
  language: string;
  at: string;
}

const pauseMs = 200;
const unknown = "unknown";

type RuleTest = { tried: TryResult } | { problem: "incomplete" | "failed" } | undefined;

function useRuleTest(workspace: string, draft: LinkDraft, visitor: TestVisitor): RuleTest {
  const [test, setTrial] = useState<RuleTest>();
  const body = JSON.stringify({
    link: { url: draft.url, ...choicesOf(draft) },
    visitor: {
      userAgent: agents[visitor.agent],
      language: visitor.language,
      country: visitor.country === unknown ? null : visitor.country,
      region: visitor.region || null,
      city: visitor.city || null,
      ...(visitor.at ? { at: instantIn(draft.zone, visitor.at) } : {}),
    },
  });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const next = await tryRules(workspace, JSON.parse(body), abort.signal);
      if (!abort.signal.aborted) setTrial(next);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workspace, body]);
  return test;
}

async function tryRules(workspace: string, body: unknown, signal: AbortSignal): Promise<RuleTest> {
  try {
    const request = { workspace, path: "/links/try", method: "POST", body, signal };
    return { tried: tryResultShape.parse(await (await callApi(request)).json()) };
  } catch (error) {
    const status = error instanceof Error && "status" in error ? error.status : 0;
    return { problem: status === 422 ? "incomplete" : "failed" };
  }
}

export function RuleTester({ workspace, draft }: { workspace: string; draft: LinkDraft }) {
  const t = useTranslations("linkForm.tester");
  const id = useId();
  const { country: countries, language: languages } = useRuleOptions();
  const [visitor, setVisitor] = useState<TestVisitor>({
    agent: "iphone",
    country: unknown,
    region: "",
    city: "",
    language: "en",
    at: "",
  });
  const test = useRuleTest(workspace, draft, visitor);
  const put = (changes: Partial<TestVisitor>) => setVisitor({ ...visitor, ...changes });
  const asksPlace = draft.rules.some(({ region, city }) => region.length + city.length > 0);
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-lg bg-sunken p-3">
      <h4 id={id} className="font-medium text-sm">
        {t("heading")}
      </h4>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <SelectField
          label={t("agent")}
          options={agentNames.map((value) => ({ value, label: t(`agents.${value}`) }))}
          value={visitor.agent}
          onValueChange={(value) =>
            put({ agent: agentNames.find((one) => one === value) ?? "iphone" })
          }
        />
        <SelectField
          label={t("country")}
          options={[{ value: unknown, label: t("unknown") }, ...countries]}
          value={visitor.country}
          onValueChange={(country) => put({ country })}
        />
        {asksPlace
          ? (["region", "city"] as const).map((name) => (
              <InputField
                key={name}
                label={t(name)}
                autoComplete="off"
                value={visitor[name]}
                onChange={({ target }) => put({ [name]: target.value })}
              />
            ))
          : null}
        <SelectField
          label={t("language")}
          options={languages}
          value={visitor.language}
          onValueChange={(language) => put({ language })}
        />
        <InputField
          label={t("at")}
          hint={t("atHint")}
          type="datetime-local"
          value={visitor.at}
          onChange={({ target }) => put({ at: target.value })}
        />
      </div>
      <div role="status" className="text-sm">
        <TestResult test={test} />
      </div>
    </section>
  );
}

function TestResult({ test }: { test: RuleTest }) {
  const t = useTranslations("linkForm.tester");
  const conditions = useTranslations("linkForm.rules.conditions");
  const format = useFormatter();
  if (!test) return null;
  if ("problem" in test) return <p className="text-ink-muted">{t(test.problem)}</p>;
  const { url, reason, rule, rules, variants } = test.tried;
  return (
    <div className="grid gap-2">
      <p className="break-all font-medium">
        {url === null
          ? t("drawn", { count: variants?.length ?? 0 })
          : t("goesTo", { url: withoutScheme(url) })}
      </p>
      <p className="text-ink-muted">{t(`reasons.${reason}`, { number: (rule ?? 0) + 1 })}</p>
      {rules.length > 0 ? (
        <ol className="grid gap-1">
          {rules.map(({ holds, failed }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is identified by its position
            <li key={at} className="flex items-start gap-1.5 text-ink-muted">
              {holds ? (
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              ) : (
                <X aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
              )}
              {holds
                ? t(at === rule ? "decides" : "tooLate", { number: at + 1 })
                : t("fails", {
                    number: at + 1,
                    names: format.list(failed.map((name) => conditions(name))),
                  })}
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}
