"use client";

import { useTranslations } from "next-intl";
import { Switch } from "#components/ui/switch";
import { type FieldsWith, type FormFlag, formFields } from "#lib/links/link-columns/schema";
import { SelectField } from "../ui/labeled.tsx";
import { allOf, CollapsiblePart, type PartProps, TextField } from "./form-fields.tsx";
import { VisitorFormField } from "./visitor-form-field.tsx";
import { WebhooksField } from "./webhooks-field.tsx";

const statuses = ["302", "307", "301", "308"] as const;
type MoreFlag = Extract<FormFlag, FieldsWith<{ form: "more" }>>;
const flags = allOf<MoreFlag | "disabled">()([
  "trackConversion",
  "rewrite",
  "forwardPath",
  "doIndex",
  "publicStats",
  "disabled",
]);
type MoreText = FieldsWith<{ form: "more"; kind: "text" }>;
/** Sound because these fields have this kind. */
const texts = formFields
  .filter(({ form, kind }) => form === "more" && kind === "text")
  .map(({ name }) => name) as MoreText[];
/** The value of a select for following the workspace. */
const followed = "default";
const forwardChoices = [followed, "on", "off"] as const;

interface MorePartProps extends PartProps {
  workspace: string;
  isNew: boolean;
}

/** Rare fields: the redirect status, forwarding, and external ids. */
export function MorePart({ isNew, workspace, ...part }: MorePartProps) {
  const { draft, change } = part;
  const t = useTranslations("linkForm.more");
  const shown = isNew ? ([...flags, "reuse"] as const) : flags;
  return (
    <CollapsiblePart {...part} part="more" label={t("label")} hint={t("hint")}>
      <SelectField
        label={t("redirectStatus")}
        error={part.errorOf("redirectStatus")}
        options={statuses.map((value) => ({ value, label: t(`status${value}`) }))}
        value={draft.redirectStatus}
        onValueChange={(redirectStatus) => change({ redirectStatus })}
      />
      <SelectField
        label={t("forwardQuery")}
        hint={t("forwardQueryHint")}
        error={part.errorOf("forwardQuery")}
        options={forwardChoices.map((value) => ({ value, label: t(`forward.${value}`) }))}
        value={draft.forwardQuery || followed}
        onValueChange={(value) =>
          change({ forwardQuery: value === "on" || value === "off" ? value : "" })
        }
      />
      {shown.map((name) => (
        <Switch
          key={name}
          label={t(name)}
          hint={t(`${name}Hint`)}
          checked={draft[name]}
          onCheckedChange={(on) => change({ [name]: on })}
        />
      ))}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {texts.map((name) => (
          <TextField key={name} {...part} name={name} label={t(name)} hint={t(`${name}Hint`)} />
        ))}
        {isNew && draft.key === "" ? (
          <>
            <TextField {...part} name="prefix" label={t("prefix")} hint={t("prefixHint")} />
            <TextField
              {...part}
              name="keyLength"
              inputMode="numeric"
              label={t("keyLength")}
              hint={t("keyLengthHint")}
            />
          </>
        ) : null}
      </div>
      <VisitorFormField {...part} workspace={workspace} />
      <WebhooksField {...part} workspace={workspace} />
    </CollapsiblePart>
  );
}
