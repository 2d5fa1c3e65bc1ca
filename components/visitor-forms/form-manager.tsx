"use client";

import { ClipboardList } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormFields, type NamedActions, NamedManager } from "#components/named/named-manager";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { type ControlProps, Field } from "#components/ui/field";
import { Input, Textarea } from "#components/ui/input";
import { InputField, SelectField } from "#components/ui/labeled";
import { Switch } from "#components/ui/switch";
import { asksForPhone, type Form, isPersonal, rememberDaysMax } from "#lib/audience/forms/schema";
import { FieldList } from "./field-list.tsx";
import { bodyOf, draftOf, type FormDraft, presetNames, presetOf } from "./form-draft.ts";
import type { WechatDomains } from "./wechat-field.tsx";

interface FormManagerProps {
  forms: readonly Form[];
  gateways: readonly GatewayChoice[];
  wechat: WechatDomains;
  contactsPath: string | null;
  actions: NamedActions | null;
}

export function FormManager(props: FormManagerProps) {
  const { forms, gateways, wechat, contactsPath, actions } = props;
  const t = useTranslations("forms");
  return (
    <NamedManager
      messages="forms"
      icon={<ClipboardList aria-hidden />}
      things={forms}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-32 truncate font-medium sm:max-w-60",
          cell: ({ name }) => name,
        },
        {
          heading: t("fields"),
          className: "hidden md:table-cell",
          cellClass: "max-w-72 truncate text-ink-muted",
          cell: ({ fields }) => fields.map(({ type }) => t(`types.${type}`)).join(" · "),
        },
        {
          heading: t("state"),
          cell: ({ published }) =>
            published ? (
              <Badge tone="success">{t("isPublished")}</Badge>
            ) : (
              <Badge>{t("isDraft")}</Badge>
            ),
        },
        ...(contactsPath === null
          ? []
          : [
              {
                heading: t("contacts"),
                cell: ({ id, name }: Form) => (
                  <PrefetchLink
                    href={`${contactsPath}?form=${id}`}
                    className="text-accent underline"
                  >
                    {t("showContacts")}
                    <span className="sr-only"> {name}</span>
                  </PrefetchLink>
                ),
              },
            ]),
      ]}
      loss={() => t("deleteText")}
      nameHint={t("nameHint")}
      fields={(edited, { errorOf }) => (
        <EditorFields edited={edited} gateways={gateways} wechat={wechat} errorOf={errorOf} />
      )}
      actions={actions}
      capability="forms"
    />
  );
}

type TextName = "title" | "text" | "button" | "consent" | "marketing" | "controller" | "privacyUrl";

interface EditorFieldsProps extends Pick<FormFields, "errorOf"> {
  edited: Form | null;
  gateways: readonly GatewayChoice[];
  wechat: WechatDomains;
}

function EditorFields({ edited, gateways, wechat, errorOf }: EditorFieldsProps) {
  const t = useTranslations("forms");
  const [draft, setDraft] = useState(() => draftOf(edited));
  const change = (changes: Partial<FormDraft>) => setDraft({ ...draft, ...changes });
  const part = { draft, change, errorOf };
  return (
    <>
      <input type="hidden" name="content" value={JSON.stringify(bodyOf(draft))} />
      {edited ? null : <FormPresets onPreset={change} />}
      <TextLine {...part} name="title" />
      <TextLine {...part} name="text" isLong />
      <FieldList
        fields={draft.fields}
        onFields={(fields) => change({ fields })}
        error={errorOf("fields")}
        wechat={wechat}
      />
      {asksForPhone(draft) ? (
        <PhoneConfirmation
          draft={draft}
          change={change}
          gateways={gateways}
          error={errorOf("gatewayId")}
          countriesError={errorOf("codeCountries")}
        />
      ) : null}
      {isPersonal(draft) ? (
        <>
          <TextLine {...part} name="consent" isLong />
          <TextLine {...part} name="marketing" isLong />
          <TextLine {...part} name="controller" />
          <TextLine {...part} name="privacyUrl" />
        </>
      ) : null}
      <TextLine {...part} name="button" />
      <InputField
        label={t("rememberDays")}
        hint={t("rememberDaysHint", { max: rememberDaysMax })}
        error={errorOf("rememberDays")}
        inputMode="numeric"
        className="w-24"
        value={draft.rememberDays}
        onChange={({ target }) => change({ rememberDays: target.value })}
      />
      <Switch
        label={t("skip")}
        hint={t("skipHint")}
        checked={draft.skip}
        onCheckedChange={(skip) => change({ skip })}
      />
      <Switch
        label={t("published")}
        hint={t("publishedHint")}
        checked={draft.published}
        onCheckedChange={(published) => change({ published })}
      />
    </>
  );
}

interface TextLineProps {
  draft: FormDraft;
  change: (changes: Partial<FormDraft>) => void;
  errorOf: (name: string) => string | undefined;
  name: TextName;
  isLong?: boolean;
}

function TextLine({ draft, change, errorOf, name, isLong = false }: TextLineProps) {
  const t = useTranslations("forms");
  const input = (control: ControlProps) => {
    const { [name]: value } = draft;
    const props = { ...control, value, autoComplete: "off" };
    return isLong ? (
      <Textarea {...props} onChange={({ target }) => change({ [name]: target.value })} />
    ) : (
      <Input {...props} onChange={({ target }) => change({ [name]: target.value })} />
    );
  };
  return (
    <Field label={t(`texts.${name}`)} hint={t(`hints.${name}`)} error={errorOf(name)}>
      {input}
    </Field>
  );
}

function FormPresets({ onPreset }: { onPreset: (changes: Partial<FormDraft>) => void }) {
  const t = useTranslations("forms.presets");
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{t("heading")}</legend>
      <div className="flex flex-wrap gap-2">
        {presetNames.map((name) => (
          <Button
            key={name}
            onClick={() =>
              onPreset(
                presetOf(name, {
                  title: t(`${name}.title`),
                  text: t(`${name}.text`),
                  button: t(`${name}.button`),
                  label: name === "age" || name === "terms" ? t(`${name}.label`) : "",
                }),
              )
            }
          >
            {t(`${name}.name`)}
          </Button>
        ))}
      </div>
      <p className="text-ink-muted text-sm">{t("hint")}</p>
    </fieldset>
  );
}

interface GatewayChoice {
  id: string;
  name: string;
}

interface PhoneConfirmationProps {
  draft: FormDraft;
  change: (changes: Partial<FormDraft>) => void;
  gateways: readonly GatewayChoice[];
  error: string | undefined;
  countriesError: string | undefined;
}

const logValue = "log";

function PhoneConfirmation({
  draft,
  change,
  gateways,
  error,
  countriesError,
}: PhoneConfirmationProps) {
  const t = useTranslations("forms");
  const { confirmPhone, codeCountries, gatewayId } = draft;
  return (
    <>
      <Switch
        label={t("confirmPhone")}
        hint={t("confirmPhoneHint")}
        checked={confirmPhone}
        onCheckedChange={(checked) => change({ confirmPhone: checked })}
      />
      {confirmPhone ? (
        <InputField
          label={t("codeCountries")}
          hint={t("codeCountriesHint")}
          error={countriesError}
          autoComplete="off"
          spellCheck={false}
          placeholder="CN, US"
          value={codeCountries}
          onChange={({ target }) => change({ codeCountries: target.value })}
        />
      ) : null}
      {confirmPhone ? (
        <SelectField
          label={t("gateway")}
          hint={gatewayId === null ? t("logHint") : t("gatewayHint")}
          error={error}
          value={gatewayId ?? logValue}
          onValueChange={(value) => change({ gatewayId: value === logValue ? null : value })}
          options={[
            { value: logValue, label: t("log") },
            ...gateways.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : null}
    </>
  );
}
