"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { LockNote, useLocked } from "#components/plans/locked";
import { Button } from "#components/ui/button";
import { InputField, SelectField } from "#components/ui/labeled";
import { Switch } from "#components/ui/switch";
import { choiceReasons } from "#lib/redirect/routing-rules/schema";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
import { emptyRule, nextId, type PairDraft, type RuleDraft } from "./link-draft.ts";
import { RuleCard } from "./rule-card.tsx";
import { RuleTester } from "./rule-tester.tsx";
import { useRuleOptions } from "./rule-values.ts";

const rulesMax = 50;

type Choice = (typeof choiceReasons)[number];

/** Which step of the form makes each choice, in the order in which the redirect checks them. The first match wins. */
const stepOf: Partial<Record<Choice, "rules" | "devices" | "countries">> = {
  rule: "rules",
  ios: "devices",
  geo: "countries",
};

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

function GeoFields({ draft, change, errorOf }: PartProps) {
  const t = useTranslations("linkForm.geo");
  const { country: options } = useRuleOptions();
  const { geo } = draft;
  const put = (id: number, changes: Partial<PairDraft>) =>
    change({ geo: geo.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  const free = options.find(({ value }) => !geo.some(({ name }) => name === value));
  return (
    <div className="grid gap-3">
      {geo.map(({ id, name, url }) => (
        <div key={id} className="flex items-start gap-2">
          <SelectField
            label={t("country")}
            error={errorOf(`geo.${name}.country`)}
            outerClass="w-36"
            options={options.filter(
              ({ value }) => value === name || !geo.some((one) => one.name === value),
            )}
            value={name}
            onValueChange={(country) => put(id, { name: country })}
          />
          <InputField
            label={t("url")}
            error={errorOf(`geo.${name}`)}
            outerClass="flex-1"
            inputMode="url"
            autoComplete="off"
            value={url}
            onChange={({ target }) => put(id, { url: target.value })}
          />
          <Button
            variant="ghost"
            size="icon"
            className="mt-7"
            aria-label={t("remove", { country: name })}
            onClick={() => change({ geo: geo.filter((one) => one.id !== id) })}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button
          size="sm"
          disabled={!free}
          onClick={() =>
            change({ geo: [...geo, { id: nextId(geo), name: free?.value ?? "", url: "" }] })
          }
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </div>
    </div>
  );
}

const destination = "destination";
const choices = [destination, "browser", "miniProgram"] as const;

function InsideAppsFields(part: PartProps) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.insideApps");
  const id = useId();
  const isLocked = useLocked("insideApps");
  const { insideApps } = draft;
  const lockNote = <LockNote text={insideApps ? "removable" : "hint"} />;
  // On a plan without it, the link’s current setting can only stay or be turned off.
  const offered = choices.filter((one) => !isLocked || one === destination || one === insideApps);
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h4 id={id} className="font-medium text-sm">
        {t("heading")}
      </h4>
      <SelectField
        label={t("open")}
        hint={isLocked ? lockNote : t(`hints.${insideApps || destination}`)}
        error={errorOf("insideApps")}
        options={offered.map((value) => ({ value, label: t(`choices.${value}`) }))}
        value={insideApps || destination}
        onValueChange={(value) =>
          change({ insideApps: value === "browser" || value === "miniProgram" ? value : "" })
        }
      />
      {insideApps === "miniProgram" ? <MiniProgramFields {...part} /> : null}
      {insideApps ? (
        <Switch
          label={t("canContinue")}
          hint={t("canContinueHint")}
          checked={draft.canContinue}
          onCheckedChange={(canContinue) => change({ canContinue })}
        />
      ) : null}
    </section>
  );
}

const programFields = [
  ["miniProgramId", "appId", "wx0123456789abcdef"],
  ["miniProgramPath", "path", "pages/index/index"],
  ["miniProgramQuery", "query", "from=mail"],
] as const;

function MiniProgramFields({ draft, change, errorOf }: PartProps) {
  const t = useTranslations("linkForm.insideApps");
  const common = useTranslations("common");
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      {programFields.map(([name, field, placeholder]) => (
        <InputField
          key={name}
          label={t(field)}
          error={errorOf(`insideApps.${field}`)}
          {...(field === "path" ? { hint: t("pathHint") } : {})}
          {...(field === "query" ? { optional: common("optional") } : {})}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={draft[name]}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      ))}
    </div>
  );
}
