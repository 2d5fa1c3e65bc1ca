"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormFields } from "#components/named/named-dialog";
import { type ControlProps, Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Switch } from "#components/ui/switch";
import { Textarea } from "#components/ui/textarea";
import { asksForPhone, type Form, isPersonal, rememberDaysMax } from "#lib/audience/forms/schema";
import { InputField } from "../ui/labeled.tsx";
import { FieldList } from "./field-list.tsx";
import { bodyOf, draftOf, type FormDraft } from "./form-draft.ts";
import { FormPresets } from "./form-presets.tsx";
import { type GatewayChoice, PhoneConfirmation } from "./phone-confirmation.tsx";
import type { WechatDomains } from "./wechat-field.tsx";

type TextName = "title" | "text" | "button" | "consent" | "marketing" | "controller" | "privacyUrl";

interface EditorFieldsProps extends Pick<FormFields, "errorOf"> {
  /** Null: a new one. */
  edited: Form | null;
  gateways: readonly GatewayChoice[];
  wechat: WechatDomains;
}

/** What visitors see, sent as one value. */
export function EditorFields({ edited, gateways, wechat, errorOf }: EditorFieldsProps) {
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
