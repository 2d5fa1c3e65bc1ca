"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { choiceReasons } from "#lib/redirect/routing-rules/schema";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
import { GeoFields } from "./geo-fields.tsx";
import { InsideAppsFields } from "./inside-apps-fields.tsx";
import { emptyRule, nextId, type RuleDraft } from "./link-draft.ts";
import { RuleCard } from "./rule-card.tsx";
import { RuleTester } from "./rule-tester.tsx";

const rulesMax = 50;

type Choice = (typeof choiceReasons)[number];

/** What the part sets, in the order in which the redirect asks: the first match wins. */
const stepOf: Partial<Record<Choice, "rules" | "devices" | "countries">> = {
  rule: "rules",
  ios: "devices",
  geo: "countries",
};

/** Destinations for some visitors: by rules, device and country; and a test. */
export function RulesPart({ workspace, ...part }: PartProps & { workspace: string }) {
  const t = useTranslations("linkForm.rules");
  const steps = choiceReasons.map((choice) => stepOf[choice]).filter((step) => step !== undefined);
  const contents = {
    rules: <RuleFields {...part} />,
    devices: <DeviceFields {...part} />,
    countries: <GeoFields {...part} />,
  };
  return (
    <CollapsiblePart {...part} part="rules" capability="rules" label={t("label")} hint={t("hint")}>
      <p className="text-ink-muted text-sm">{t("order")}</p>
      <ol aria-label={t("steps")} className="grid gap-5">
        {steps.map((step, at) => (
          <li key={step} className="grid gap-3">
            <p className="flex items-center gap-2 font-medium text-sm">
              <span
                aria-hidden
                className="grid size-5 place-items-center rounded-full border border-line-strong text-xs tabular-nums"
              >
                {at + 1}
              </span>
              {t(`step.${step}`)}
            </p>
            {contents[step]}
          </li>
        ))}
      </ol>
      <p className="text-ink-muted text-sm">{t("otherwise")}</p>
      <InsideAppsFields {...part} />
      <RuleTester workspace={workspace} draft={part.draft} />
    </CollapsiblePart>
  );
}

function DeviceFields(part: PartProps) {
  const t = useTranslations("linkForm.rules");
  const url = { ...part, inputMode: "url", placeholder: "https://" } as const;
  const controls: Controls<"rules"> = {
    ios: <TextField {...url} name="ios" label={t("ios")} />,
    android: <TextField {...url} name="android" label={t("android")} />,
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {controls.ios}
      {controls.android}
    </div>
  );
}

/** The rules, which can be dragged into another order. */
function RuleFields(part: PartProps) {
  const { draft, change } = part;
  const { rules } = draft;
  const t = useTranslations("linkForm.rules");
  const [dragged, setDragged] = useState<number>();
  const [announced, setAnnounced] = useState("");
  const setRules = (next: RuleDraft[]) => change({ rules: next });

  function move(from: number, to: number) {
    const rule = rules[from];
    if (!rule || to < 0 || to >= rules.length) return;
    setRules(rules.toSpliced(from, 1).toSpliced(to, 0, rule));
    setAnnounced(t("moved", { from: from + 1, to: to + 1 }));
  }

  return (
    <>
      {rules.length > 0 ? (
        <ol aria-label={t("list")} className="grid gap-3">
          {rules.map((rule, at) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              at={at}
              count={rules.length}
              errorOf={(name) => part.errorOf(name ? `rules.${at}.${name}` : `rules.${at}`)}
              onChange={(changes) =>
                setRules(rules.map((one) => (one.id === rule.id ? { ...one, ...changes } : one)))
              }
              onRemove={() => setRules(rules.filter(({ id }) => id !== rule.id))}
              onMove={(to) => move(at, to)}
              isDragged={dragged === rule.id}
              onDrag={(on) => setDragged(on ? rule.id : undefined)}
              onDragOver={() => {
                const from = rules.findIndex(({ id }) => id === dragged);
                if (from >= 0 && from !== at) move(from, at);
              }}
            />
          ))}
        </ol>
      ) : null}
      <p role="status" className="sr-only">
        {announced}
      </p>
      <div>
        <Button
          size="sm"
          disabled={rules.length >= rulesMax}
          onClick={() => setRules([...rules, emptyRule(nextId(rules))])}
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </div>
    </>
  );
}
