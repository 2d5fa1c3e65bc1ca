"use client";

import { ChevronsUpDown } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { LockNote, useLocked } from "#components/plans/locked";
import { classNames } from "#components/ui/class-names.ts";
import { FormSubmit } from "#components/ui/dialog";
import { type ControlProps, Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { fieldClass } from "#components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { daySeconds } from "#lib/basics/time/schema";
import type { Workspace } from "#lib/tenancy/workspaces/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { ZoneList } from "./zone-list.tsx";

interface WorkspaceSettingsProps {
  workspace: Workspace;
  saveWorkspace: FormAction<string> | null;
}

export function WorkspaceSettings({ workspace, saveWorkspace }: WorkspaceSettingsProps) {
  if (saveWorkspace) return <SettingsForm workspace={workspace} saveWorkspace={saveWorkspace} />;
  return <SettingsView workspace={workspace} />;
}

function SettingsView({ workspace }: { workspace: Workspace }) {
  const t = useTranslations("settings");
  const lifetimeName = useLifetimeName();
  const windowName = useWindowName();
  const contactDaysName = useContactDaysName();
  const rows = [
    [t("name"), workspace.name],
    [t("slug"), `/app/${workspace.slug}`],
    [t("zone"), workspace.zone],
    [t("lifetime"), lifetimeName(workspace.lifetimeSeconds)],
    [t("reuse"), windowName(workspace.reuseSeconds)],
    [t("repeat"), windowName(workspace.repeatSeconds)],
    [t("contactDays"), contactDaysName(workspace.contactDays)],
    [t("forwardQuery"), workspace.forwardQuery ? t("on") : t("off")],
  ];
  return (
    <dl className="grid gap-4 rounded-xl border border-line bg-surface p-5 text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-ink-muted">{label}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SettingsFormProps {
  workspace: Workspace;
  saveWorkspace: FormAction<string>;
}

const lifetimes = [null, 30, 90, 180, 365, 730].map((days) => days && days * daySeconds);
const reuseWindows = [null, 3_600, daySeconds, 7 * daySeconds, 30 * daySeconds, 365 * daySeconds];
const repeatWindows = [null, 10, 60, 600, 3_600, daySeconds];
const contactPeriods = [null, 30, 90, 180, 365, 730, 1_825];
const nothing = "never";

function useLifetimeName() {
  const t = useTranslations("settings");
  return (seconds: number | null) =>
    seconds === null ? t("never") : t("afterDays", { days: Math.round(seconds / daySeconds) });
}

function useContactDaysName() {
  const t = useTranslations("settings");
  return (days: number | null) => (days === null ? t("contactsStay") : t("days", { count: days }));
}

function useWindowName() {
  const t = useTranslations("settings");
  return (seconds: number | null) => {
    if (seconds === null) return t("off");
    if (seconds % daySeconds === 0) return t("days", { count: seconds / daySeconds });
    if (seconds % 3_600 === 0) return t("hours", { count: seconds / 3_600 });
    if (seconds % 60 === 0) return t("minutes", { count: seconds / 60 });
    return t("seconds", { count: seconds });
  };
}

interface PeriodFieldProps {
  name: "lifetimeSeconds" | "reuseSeconds" | "repeatSeconds" | "contactDays";
  label: string;
  hint: ReactNode;
  error: string | undefined;
  options: readonly (number | null)[];
  /** Listed even if it is not one of the options, because the API accepts any value. */
  current: number | null;
  typed: (name: string, initial?: string) => string;
  nameOf: (period: number | null) => string;
}

function PeriodField(props: PeriodFieldProps) {
  const { name, label, hint, error, options, current, typed, nameOf } = props;
  const all = options.includes(current) ? options : [...options, current];
  return (
    <SelectField
      label={label}
      error={error}
      hint={hint}
      name={name}
      options={all.map((period) => ({ value: String(period ?? nothing), label: nameOf(period) }))}
      defaultValue={typed(name, String(current ?? nothing))}
    />
  );
}

function SettingsForm({ workspace, saveWorkspace }: SettingsFormProps) {
  const t = useTranslations("settings");
  const router = useRouter();
  const { form, pending, error, errorOf, typed, field } = useForm(saveWorkspace, (slug) => {
    toast.success(t("saved"));
    if (slug === workspace.slug) router.refresh();
    else router.replace(`/app/${slug}/settings`);
  });
  return (
    <form {...form} className="grid gap-5 rounded-xl border border-line bg-surface p-5">
      <FormError>{error}</FormError>
      <InputField
        {...field("name", workspace.name)}
        label={t("name")}
        autoComplete="organization"
        required
      />
      <InputField
        {...field("slug", workspace.slug)}
        label={t("slug")}
        hint={t("slugHint", { address: `/app/${workspace.slug}` })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field label={t("zone")} error={errorOf("zone")} hint={t("zoneHint")}>
        {(control) => <ZoneField control={control} initial={workspace.zone} />}
      </Field>
      <WindowFields workspace={workspace} errorOf={errorOf} typed={typed} />
      <Switch
        name="forwardQuery"
        label={t("forwardQuery")}
        hint={t("forwardQueryHint")}
        defaultChecked={workspace.forwardQuery}
      />
      <FormSubmit pending={pending}>{t("save")}</FormSubmit>
    </form>
  );
}

interface WindowFieldsProps {
  workspace: Workspace;
  errorOf: (name: string) => string | undefined;
  typed: (name: string, initial?: string) => string;
}

function WindowFields({ workspace, errorOf, typed }: WindowFieldsProps) {
  const t = useTranslations("settings");
  const lifetimeName = useLifetimeName();
  const windowName = useWindowName();
  const contactDaysName = useContactDaysName();
  const isRepeatLocked = useLocked("repeatFilter");
  return (
    <>
      <PeriodField
        name="lifetimeSeconds"
        label={t("lifetime")}
        hint={t("lifetimeHint")}
        error={errorOf("lifetimeSeconds")}
        options={lifetimes}
        current={workspace.lifetimeSeconds}
        typed={typed}
        nameOf={lifetimeName}
      />
      <PeriodField
        name="reuseSeconds"
        label={t("reuse")}
        hint={t("reuseHint")}
        error={errorOf("reuseSeconds")}
        options={reuseWindows}
        current={workspace.reuseSeconds}
        typed={typed}
        nameOf={windowName}
      />
      <PeriodField
        name="repeatSeconds"
        label={t("repeat")}
        hint={isRepeatLocked ? <LockNote /> : t("repeatHint")}
        error={errorOf("repeatSeconds")}
        // On a plan without it, the workspace’s current setting can only stay or be turned off.
        options={isRepeatLocked ? [null] : repeatWindows}
        current={workspace.repeatSeconds}
        typed={typed}
        nameOf={windowName}
      />
      <PeriodField
        name="contactDays"
        label={t("contactDays")}
        hint={t("contactDaysHint")}
        error={errorOf("contactDays")}
        options={contactPeriods}
        current={workspace.contactDays}
        typed={typed}
        nameOf={contactDaysName}
      />
    </>
  );
}

function ZoneField({ control, initial }: { control: ControlProps; initial: string }) {
  const t = useTranslations("settings");
  const [zone, setZone] = useState(initial);
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <input type="hidden" name="zone" value={zone} />
      <PopoverTrigger
        {...control}
        className={classNames(
          fieldClass,
          "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
        )}
      >
        {zone}
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </PopoverTrigger>
      <PopoverContent
        aria-label={t("zone")}
        align="start"
        className="w-(--radix-popover-trigger-width) p-0"
      >
        <ZoneList
          label={t("zone")}
          placeholder={t("zoneSearch")}
          empty={t("zoneEmpty")}
          zone={zone}
          onChoose={(name) => {
            setZone(name);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
