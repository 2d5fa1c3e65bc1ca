"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { Workspace } from "#lib/tenancy/workspaces/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toast.tsx";
import { ZoneField } from "./zone-field.tsx";

interface WorkspaceSettingsProps {
  workspace: Workspace;
  /** Null: read-only. */
  saveWorkspace: FormAction<string> | null;
}

export function WorkspaceSettings({ workspace, saveWorkspace }: WorkspaceSettingsProps) {
  if (saveWorkspace) return <SettingsForm workspace={workspace} saveWorkspace={saveWorkspace} />;
  return <SettingsView workspace={workspace} />;
}

function SettingsView({ workspace }: { workspace: Workspace }) {
  const t = useTranslations("settings");
  const lifetimeName = useLifetimeName();
  const rows = [
    [t("name"), workspace.name],
    [t("slug"), `/app/${workspace.slug}`],
    [t("zone"), workspace.zone],
    [t("lifetime"), lifetimeName(workspace.lifetimeSeconds)],
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

const daySeconds = 86_400;
const lifetimes = [null, 30, 90, 180, 365, 730].map((days) => days && days * daySeconds);
/** The value for no lifetime in a select element. */
const noLifetime = "never";

/** The default options, and the workspace's value: the API accepts any. */
function lifetimesWith(current: number | null): (number | null)[] {
  return lifetimes.includes(current) ? lifetimes : [...lifetimes, current];
}

function useLifetimeName() {
  const t = useTranslations("settings");
  return (seconds: number | null) =>
    seconds === null ? t("never") : t("afterDays", { days: Math.round(seconds / daySeconds) });
}

function SettingsForm({ workspace, saveWorkspace }: SettingsFormProps) {
  const t = useTranslations("settings");
  const router = useRouter();
  const lifetimeName = useLifetimeName();
  const { form, pending, error, errorOf, typed } = useForm(saveWorkspace, (slug) => {
    toast.success(t("saved"));
    if (slug === workspace.slug) router.refresh();
    else router.replace(`/app/${slug}/settings`);
  });
  return (
    <form {...form} className="grid gap-5 rounded-xl border border-line bg-surface p-5">
      <FormError>{error}</FormError>
      <Field label={t("name")} error={errorOf("name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="organization"
            required
            defaultValue={typed("name", workspace.name)}
          />
        )}
      </Field>
      <Field
        label={t("slug")}
        error={errorOf("slug")}
        hint={t("slugHint", { address: `/app/${workspace.slug}` })}
      >
        {(control) => (
          <Input
            {...control}
            name="slug"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            defaultValue={typed("slug", workspace.slug)}
          />
        )}
      </Field>
      <Field label={t("zone")} error={errorOf("zone")} hint={t("zoneHint")}>
        {(control) => <ZoneField control={control} initial={workspace.zone} />}
      </Field>
      <Field label={t("lifetime")} error={errorOf("lifetimeSeconds")} hint={t("lifetimeHint")}>
        {(control) => (
          <Select
            {...control}
            name="lifetimeSeconds"
            options={lifetimesWith(workspace.lifetimeSeconds).map((seconds) => ({
              value: String(seconds ?? noLifetime),
              label: lifetimeName(seconds),
            }))}
            defaultValue={typed("lifetimeSeconds", String(workspace.lifetimeSeconds ?? noLifetime))}
          />
        )}
      </Field>
      <Switch
        name="forwardQuery"
        label={t("forwardQuery")}
        hint={t("forwardQueryHint")}
        defaultChecked={workspace.forwardQuery}
      />
      <div>
        <Button type="submit" variant="solid" pending={pending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
