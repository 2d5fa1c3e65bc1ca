"use client";

import { ExternalLink } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useTransition } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { countriesText } from "#components/forms/country-codes.ts";
import { type FormAction, type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { InputField, SelectField, TextareaField } from "#components/ui/labeled";
import { Select } from "#components/ui/select";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { codesPerDayMax, type Workspace } from "#lib/tenancy/workspaces/schema";
import { SettingsForm } from "./settings-form.tsx";

interface OwnVisitsProps {
  networks: readonly string[];
  /** The host names of the workspace’s own domains. */
  hosts: readonly string[];
  /** The address of this browser. */
  address: string;
  /** Null: this person may not change the networks. */
  save: FormAction<null> | null;
  workspace: string;
}

/** Networks and browsers whose visits are not counted as clicks. */
export function OwnVisits({ networks, hosts, address, save, workspace }: OwnVisitsProps) {
  const t = useTranslations("settings.ownVisits");
  return (
    <>
      {save ? (
        <SettingsForm t={t} save={save}>
          {(field) => (
            <TextareaField
              {...field("ownNetworks", networks.join("\n"))}
              label={t("networks")}
              hint={t("networksHint", { address })}
              spellCheck={false}
              className="font-mono text-sm"
            />
          )}
        </SettingsForm>
      ) : null}
      {hosts.length > 0 ? (
        <Card heading={t("browser")} note={t("browserNote")}>
          <ul className="grid justify-items-start gap-2">
            {hosts.map((host) => (
              <li key={host}>
                <Button asChild>
                  <a
                    href={`/app/${workspace}/settings/own-visits?domain=${encodeURIComponent(host)}`}
                    target="_blank"
                    rel="noreferrer"
                  >
                    {host}
                    <ExternalLink aria-hidden />
                  </a>
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  );
}

interface CodeSettingsProps {
  workspace: Pick<Workspace, "codeCountries" | "codesPerDay" | "codesStopped">;
  home: string | null;
  save: FormAction<null>;
}

/** Settings for the SMS codes of forms: which countries get them, how many a day, and a switch to stop them. */
export function CodeSettings({ workspace, home, save }: CodeSettingsProps) {
  const t = useTranslations("settings.codes");
  const locale = useLocale();
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
  return (
    <SettingsForm t={t} save={save}>
      {(field) => (
        <>
          <Switch
            name="codesStopped"
            label={t("stopped")}
            hint={t("stoppedHint")}
            defaultChecked={workspace.codesStopped}
          />
          <InputField
            {...field("codeCountries", countriesText(workspace.codeCountries))}
            label={t("countries")}
            hint={
              home === null
                ? t("countriesNone")
                : t("countriesHint", { country: names.of(home) ?? home })
            }
            autoComplete="off"
            spellCheck={false}
            placeholder="CN, US"
          />
          <InputField
            {...field("codesPerDay", String(workspace.codesPerDay))}
            label={t("perDay")}
            hint={t("perDayHint")}
            type="number"
            inputMode="numeric"
            className="w-32"
            min={1}
            max={codesPerDayMax}
            required
          />
        </>
      )}
    </SettingsForm>
  );
}

const inheritedValue = "inherited";

interface SessionSettingsProps {
  workspace: Pick<Workspace, "sessionIdleMinutes" | "sessionHours">;
  save: FormAction<null>;
}

const idleMinutes = [15, 30, 60, 240, 720, 1_440, 10_080];
const hours = [8, 12, 24, 168, 336];

export function SessionSettings({ workspace, save }: SessionSettingsProps) {
  const t = useTranslations("sessionLimits");
  const nameOf = (minutes: number) => {
    if (minutes % 1_440 === 0) return t("days", { count: minutes / 1_440 });
    return minutes % 60 === 0
      ? t("hours", { count: minutes / 60 })
      : t("minutes", { count: minutes });
  };
  const options = (usual: readonly number[], current: number | null, unitMinutes: number) => [
    { value: inheritedValue, label: t("inherited") },
    // The current value is listed too, because the API accepts any number.
    ...[...new Set([...usual, ...(current === null ? [] : [current])])]
      .sort((a, b) => a - b)
      .map((period) => ({ value: String(period), label: nameOf(period * unitMinutes) })),
  ];
  const fields = [
    { name: "sessionIdleMinutes", label: t("idle"), usual: idleMinutes, unit: 1 },
    { name: "sessionHours", label: t("absolute"), usual: hours, unit: 60 },
  ] as const;
  return (
    <SettingsForm t={t} save={save}>
      {(field) => (
        <>
          {fields.map(({ name, label, usual, unit }) => (
            <SelectField
              {...field(name, String(workspace[name] ?? inheritedValue))}
              key={name}
              label={label}
              options={options(usual, workspace[name], unit)}
            />
          ))}
        </>
      )}
    </SettingsForm>
  );
}

interface DomainChoiceProps {
  initial: string;
  hosts: readonly string[];
  choose: (host: string) => Promise<FormAnswer<null>>;
}

export function DomainChoice({ initial, hosts, choose }: DomainChoiceProps) {
  const t = useTranslations("settings");
  const runAction = useAction();
  const [chosen, show] = useOptimistic(initial, (_before, host: string) => host);

  function run(host: string) {
    startTransition(async () => {
      show(host);
      if (await runAction(() => choose(host))) toast.success(t("domainSaved", { domain: host }));
    });
  }

  return (
    <Card heading={t("domain")} note={t("domainHint")}>
      <Select
        aria-label={t("domain")}
        className="max-w-sm"
        value={chosen}
        onValueChange={run}
        options={hosts.map((host) => ({ value: host, label: host }))}
      />
    </Card>
  );
}

interface DeleteWorkspaceProps {
  name: string;
  days: number;
  remove: () => Promise<FormAnswer<null>>;
}

export function DeleteWorkspace({ name, days, remove }: DeleteWorkspaceProps) {
  const t = useTranslations("settings");
  const runAction = useAction();
  const [pending, start] = useTransition();

  function run() {
    start(async () => {
      // That page can restore the workspace at once.
      if (await runAction(remove)) loadPage("/app/new");
    });
  }

  return (
    <Card heading={t("delete")} note={t("deleteText", { days })}>
      <ConfirmButton
        className="justify-self-start text-danger"
        pending={pending}
        title={t("deleteTitle", { name })}
        question={t("deleteText", { days })}
        action={t("delete")}
        onConfirm={run}
      >
        {t("delete")}
      </ConfirmButton>
    </Card>
  );
}
