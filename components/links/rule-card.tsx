"use client";

import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2, X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Field } from "#components/ui/field";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#components/ui/menu";
import { ValuesField } from "#components/ui/values-field";
import { dayMs } from "#lib/basics/time/schema";
import { InputField } from "../ui/labeled.tsx";
import type { RuleDraft, TimeDraft } from "./link-draft.ts";
import { type ListCondition, listConditions, useRuleOptions } from "./rule-values.ts";
import { mondayUtc } from "./week.ts";

interface RuleCardProps {
  rule: RuleDraft;
  at: number;
  count: number;
  errorOf: (name: string) => string | undefined;
  onChange: (changes: Partial<RuleDraft>) => void;
  onRemove: () => void;
  onMove: (to: number) => void;
  isDragged: boolean;
  onDrag: (on: boolean) => void;
  onDragOver: () => void;
}

const fixedLists: ReadonlySet<ListCondition> = new Set(["device", "app", "country"]);

export function RuleCard(props: RuleCardProps) {
  const { rule, at, errorOf, onChange, isDragged, onDrag, onDragOver } = props;
  const t = useTranslations("linkForm.rules");
  const options = useRuleOptions();
  // A new condition has no value yet.
  const [added, setAdded] = useState<ListCondition[]>([]);
  const shown = listConditions.filter((name) => rule[name].length > 0 || added.includes(name));
  const error = errorOf("");
  return (
    <li
      aria-label={t("rule", { number: at + 1 })}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
      onDrop={(event) => event.preventDefault()}
      className={classNames(
        "grid gap-3 rounded-lg border border-line p-3",
        isDragged && "border-accent bg-accent-soft",
      )}
    >
      <RuleHead {...props} onDrag={onDrag} />
      {shown.map((name) => (
        <Field key={name} label={t(`conditions.${name}`)} error={errorOf(name)}>
          {(control) => (
            <ValuesField
              control={control}
              options={options[name]}
              values={rule[name]}
              onValues={(values) => {
                if (values.length === 0) setAdded([...added, name]);
                onChange({ [name]: values });
              }}
              texts={{
                list: t(`conditions.${name}`),
                add: t("addValue"),
                search: t(`search.${name}`),
                nothing: t("nothing"),
                remove: (value) => t("removeValue", { value }),
                ...(fixedLists.has(name)
                  ? {}
                  : { other: (value: string) => t("otherValue", { value }) }),
              }}
            />
          )}
        </Field>
      ))}
      {rule.time ? (
        <TimeFields time={rule.time} errorOf={errorOf} onChange={(time) => onChange({ time })} />
      ) : null}
      <div className="flex items-center gap-2">
        <AddCondition
          names={listConditions.filter((name) => !shown.includes(name))}
          withTime={rule.time === null}
          onAdd={(name) => setAdded([...added, name])}
          onTime={() => onChange({ time: firstTime() })}
        />
        {error ? <p className="text-danger text-sm">{error}</p> : null}
      </div>
      <InputField
        label={t("url")}
        error={errorOf("url")}
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={rule.url}
        onChange={({ target }) => onChange({ url: target.value })}
      />
    </li>
  );
}

function firstTime(): RuleDraft["time"] {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { zone, days: [], from: "09:00", until: "17:00" };
}

function RuleHead({ at, count, onMove, onRemove, onDrag }: RuleCardProps) {
  const t = useTranslations("linkForm.rules");
  const number = at + 1;
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(at + step);
  }
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        draggable
        aria-label={t("handle", { number })}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          // Firefox only drags elements with data; no field accepts this type.
          event.dataTransfer.setData("application/x-fuxi-rule", String(number));
          onDrag(true);
        }}
        onDragEnd={() => onDrag(false)}
        onKeyDown={onKeyDown}
        className="-ml-1 grid size-7 cursor-grab place-items-center rounded-md text-ink-faint hover:bg-hover pointer-coarse:size-9"
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <p className="mr-auto font-medium text-sm">{t("rule", { number })}</p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("up", { number })}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("down", { number })}
        disabled={number === count}
        onClick={() => onMove(at + 1)}
      >
        <ArrowDown aria-hidden />
      </Button>
      <Button variant="ghost" size="icon" aria-label={t("remove", { number })} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}

interface AddConditionProps {
  names: readonly ListCondition[];
  withTime: boolean;
  onAdd: (name: ListCondition) => void;
  onTime: () => void;
}

function AddCondition({ names, withTime, onAdd, onTime }: AddConditionProps) {
  const t = useTranslations("linkForm.rules");
  if (names.length === 0 && !withTime) return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button size="sm" variant="ghost">
          <Plus aria-hidden />
          {t("addCondition")}
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        {names.map((name) => (
          <MenuItem key={name} onSelect={() => onAdd(name)}>
            {t(`conditions.${name}`)}
          </MenuItem>
        ))}
        {withTime ? <MenuItem onSelect={onTime}>{t("conditions.time")}</MenuItem> : null}
      </MenuContent>
    </Menu>
  );
}

interface TimeFieldsProps {
  time: TimeDraft;
  errorOf: (name: string) => string | undefined;
  onChange: (time: TimeDraft | null) => void;
}

function TimeFields({ time, errorOf, onChange }: TimeFieldsProps) {
  const t = useTranslations("linkForm.time");
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const long = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const days = ["1", "2", "3", "4", "5", "6", "7"];
  const toggle = (day: string) =>
    time.days.includes(day) ? time.days.filter((one) => one !== day) : [...time.days, day];
  return (
    <fieldset className="grid gap-3">
      <div className="flex items-center justify-between">
        <legend className="font-medium text-sm">{t("label")}</legend>
        <Button variant="ghost" size="icon" aria-label={t("remove")} onClick={() => onChange(null)}>
          <X aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap gap-1">
        {days.map((day, at) => (
          <button
            key={day}
            type="button"
            aria-label={long.format(mondayUtc + at * dayMs)}
            aria-pressed={time.days.includes(day)}
            onClick={() => onChange({ ...time, days: toggle(day) })}
            className={classNames(
              "h-7 min-w-10 rounded-md border px-1.5 text-sm pointer-coarse:h-10",
              time.days.includes(day)
                ? "border-accent bg-accent-soft text-ink"
                : "border-line text-ink-muted hover:bg-hover",
            )}
          >
            {names.format(mondayUtc + at * dayMs)}
          </button>
        ))}
      </div>
      {time.days.length === 0 ? <p className="text-ink-muted text-sm">{t("everyDay")}</p> : null}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
        {(["from", "until"] as const).map((name) => (
          <InputField
            key={name}
            label={t(name)}
            error={errorOf(`time.${name}`)}
            type="time"
            value={time[name]}
            onChange={({ target }) => onChange({ ...time, [name]: target.value })}
          />
        ))}
        <InputField
          label={t("zone")}
          error={errorOf("time.zone")}
          outerClass="max-sm:col-span-2"
          list="fuxi-zones"
          autoComplete="off"
          value={time.zone}
          onChange={({ target }) => onChange({ ...time, zone: target.value })}
        />
      </div>
      <datalist id="fuxi-zones">
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </fieldset>
  );
}
