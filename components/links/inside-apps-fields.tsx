"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { LockNote, useLocked } from "#components/plans/locked";
import { Switch } from "#components/ui/switch";
import { InputField, SelectField } from "../ui/labeled.tsx";
import type { PartProps } from "./form-fields.tsx";

/** The value of a select for going on to the destination. */
const destination = "destination";
const choices = [destination, "browser", "miniProgram"] as const;

/** What visitors get in the in-app browser of an app. */
export function InsideAppsFields(part: PartProps) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.insideApps");
  const id = useId();
  const isLocked = useLocked("insideApps");
  const { insideApps } = draft;
  const lockNote = <LockNote text={insideApps ? "removable" : "hint"} />;
  // What the link has may stay, or be turned off.
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
