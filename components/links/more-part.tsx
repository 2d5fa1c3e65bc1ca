"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import { LockNote, useLocked } from "#components/plans/locked";
import { Field } from "#components/ui/field";
import { Switch } from "#components/ui/switch";
import { ValuesField } from "#components/ui/values-field";
import { type FieldsWith, type FormFlag, formFields } from "#lib/links/link-columns/schema";
import { SelectField } from "../ui/labeled.tsx";
import { allOf, CollapsiblePart, type PartProps, TextField } from "./form-fields.tsx";

type MoreFlag = Extract<FormFlag, FieldsWith<{ form: "more" }>>;
const flags = allOf<MoreFlag | "disabled">()([
  "trackConversion",
  "rewrite",
  "forwardPath",
  "doIndex",
  "publicStats",
  "disabled",
]);
const followed = "default";
const forwardChoices = [followed, "on", "off"] as const;

export function MorePart({ workspace, ...part }: PartProps & { workspace: string }) {
  const { draft, change } = part;
  const t = useTranslations("linkForm.more");
  return (
    <CollapsiblePart {...part} part="more" label={t("label")} hint={t("hint")}>
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
      {flags.map((name) => (
        <Switch
          key={name}
          label={t(name)}
          hint={t(`${name}Hint`)}
          checked={draft[name]}
          onCheckedChange={(on) => change({ [name]: on })}
        />
      ))}
      <VisitorFormField {...part} workspace={workspace} />
      <WebhooksField {...part} workspace={workspace} />
    </CollapsiblePart>
  );
}

const statuses = ["302", "307", "301", "308"] as const;
type DeveloperText = FieldsWith<{ form: "developer"; kind: "text" }>;
/** Sound because these fields have this kind. */
const texts = formFields
  .filter(({ form, kind }) => form === "developer" && kind === "text")
  .map(({ name }) => name) as DeveloperText[];

/** Rarely used fields, most of which connect the link with another system. */
export function DeveloperPart({ isNew, ...part }: PartProps & { isNew: boolean }) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.developer");
  return (
    <CollapsiblePart {...part} part="developer" label={t("label")} hint={t("hint")}>
      <SelectField
        label={t("redirectStatus")}
        error={errorOf("redirectStatus")}
        options={statuses.map((value) => ({ value, label: t(`status${value}`) }))}
        value={draft.redirectStatus}
        onValueChange={(redirectStatus) => change({ redirectStatus })}
      />
      {isNew ? (
        <Switch
          label={t("reuse")}
          hint={t("reuseHint")}
          checked={draft.reuse}
          onCheckedChange={(reuse) => change({ reuse })}
        />
      ) : null}
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
    </CollapsiblePart>
  );
}

const formNames = z.array(z.object({ id: z.string(), name: z.string(), published: z.boolean() }));
type FormName = z.output<typeof formNames>[number];

const none = "none";

/** The form that visitors fill in before the redirect. */
function VisitorFormField({
  workspace,
  draft,
  change,
  errorOf,
}: PartProps & { workspace: string }) {
  const t = useTranslations("linkForm.form");
  const isLocked = useLocked("forms");
  const found = useForms(workspace);
  const offered = (found ?? []).filter(
    ({ id, published }) => (published && !isLocked) || id === draft.formId,
  );
  const create = (
    <>
      {t("hint")} {/* Another tab: what is being filled in stays. */}
      <a
        href={`/app/${workspace}/forms`}
        target="_blank"
        rel="noreferrer"
        className="rounded-xs text-ink underline underline-offset-2"
      >
        {t("create")}
      </a>
    </>
  );
  const hint = found && offered.length === 0 ? create : t("hint");
  return (
    <SelectField
      label={t("label")}
      hint={isLocked ? <LockNote text={draft.formId ? "removable" : "hint"} /> : hint}
      error={errorOf("formId")}
      options={[
        { value: none, label: t("none") },
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={draft.formId || none}
      onValueChange={(formId) => change({ formId: formId === none ? "" : formId })}
    />
  );
}

function useForms(workspace: string): readonly FormName[] | undefined {
  const [found, setFound] = useState<readonly FormName[]>();
  const load = useEffectEvent(async () => {
    const answer = await callApi({ workspace, path: "/forms" });
    return formNames.parse(await answer.json());
  });
  useEffect(() => {
    let stale = false;
    load().then(
      (forms) => stale || setFound(forms),
      // If forms can’t be loaded, the link keeps its form.
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, []);
  return found;
}

const webhookNames = z.array(
  z.object({ id: z.string(), name: z.string(), chosenLinks: z.boolean() }),
);
type WebhookName = z.output<typeof webhookNames>[number];

/** Webhooks that only get events of links that chose them. Hidden if there are none, or if the person may not see them. */
function WebhooksField({ workspace, draft, change, errorOf }: PartProps & { workspace: string }) {
  const t = useTranslations("linkForm.webhooks");
  const found = useWebhooks(workspace);
  const offered = found.filter(
    ({ id, chosenLinks }) => chosenLinks || draft.webhookIds.includes(id),
  );
  if (offered.length === 0) return null;
  return (
    <Field label={t("label")} hint={t("hint")} error={errorOf("webhookIds")}>
      {(control) => (
        <ValuesField
          control={control}
          options={offered.map(({ id, name }) => ({ value: id, label: name }))}
          values={draft.webhookIds}
          onValues={(webhookIds) => change({ webhookIds })}
          texts={{
            list: t("label"),
            add: t("add"),
            search: t("search"),
            nothing: t("nothing"),
            remove: (name) => t("remove", { name }),
          }}
        />
      )}
    </Field>
  );
}

/** Empty for members, who may not see webhooks. */
function useWebhooks(workspace: string): readonly WebhookName[] {
  const [found, setFound] = useState<readonly WebhookName[]>([]);
  const load = useEffectEvent(async () => {
    const answer = await callApi({ workspace, path: "/webhooks" });
    return webhookNames.parse(await answer.json());
  });
  useEffect(() => {
    let stale = false;
    load().then(
      (webhooks) => stale || setFound(webhooks),
      // If webhooks can’t be loaded, the link keeps its own.
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, []);
  return found;
}
