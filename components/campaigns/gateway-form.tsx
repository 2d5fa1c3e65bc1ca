"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { assertNever, namesIn } from "#lib/basics/variants/schema";
import { type Gateway, rateDefault, rateMax } from "#lib/outreach/gateway-accounts/schema";
import {
  type GatewayInput,
  type GatewayKindName,
  type GatewaySettings,
  gatewayKinds,
} from "#lib/outreach/gateways/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";

interface GatewayFormProps {
  /** Whether this is the demo, which has a gateway of its own. */
  isDemo: boolean;
  save: FormAction<null>;
  onDone: () => void;
  edited?: Gateway;
}

/** The fields of a gateway. A secret is never shown: an empty field keeps it. */
export function GatewayForm({ isDemo, save, onDone, edited }: GatewayFormProps) {
  const t = useTranslations("gateways");
  const kinds = namesIn(gatewayKinds).filter((one) => isDemo || !gatewayKinds[one].isDemo);
  const [kind, setKind] = useState<GatewayKindName>(edited?.settings.kind ?? "http");
  const { form, pending, error, errorOf, typed, field } = useForm(save, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Choice
        label={t("kind")}
        hint={t(`kindHints.${kind}`)}
        name="kind"
        value={kind}
        onValueChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      <InputField {...field("name", edited?.name)} label={t("name")} autoComplete="off" required />
      <GatewayInputs
        key={kind}
        kind={kind}
        settings={edited?.settings.kind === kind ? edited.settings : undefined}
        errorOf={errorOf}
        typed={typed}
      />
      {gatewayKinds[kind].secret === null ? null : (
        <InputField
          label={t(`secrets.${kind}`)}
          hint={t(edited ? "secretKept" : "secretHint")}
          error={errorOf("secret")}
          name="secret"
          type="password"
          autoComplete="off"
          className="font-mono"
        />
      )}
      <InputField
        {...field("rate", String(edited?.rate ?? rateDefault))}
        label={t("rate")}
        hint={t("rateHint", { initial: rateDefault, max: rateMax })}
        type="number"
        inputMode="numeric"
        min={1}
        max={rateMax}
      />
      <DialogSubmit pending={pending}>{t(edited ? "save" : "addTitle")}</DialogSubmit>
    </form>
  );
}

interface InputProps {
  /** Undefined for a new gateway, or for one of another kind. */
  settings: GatewaySettings | undefined;
  errorOf: (name: string) => string | undefined;
  typed: (name: string, initial?: string) => string;
}

type NamesOf<Inputs> = keyof {
  [Name in keyof Inputs as Inputs[Name] extends { control: "text" } ? Name : never]: true;
};
type TextName = {
  [Kind in GatewayKindName]: NamesOf<(typeof gatewayKinds)[Kind]["inputs"]>;
}[GatewayKindName];

function GatewayInputs({ kind, ...props }: InputProps & { kind: GatewayKindName }) {
  const inputs: Readonly<Record<string, GatewayInput>> = gatewayKinds[kind].inputs;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      {Object.entries(inputs).map(([name, input]) => (
        <div
          key={name}
          className={input.control === "text" && input.narrow ? "grid" : "grid gap-4 sm:col-span-3"}
        >
          <GatewayField {...props} name={name} input={input} />
        </div>
      ))}
    </div>
  );
}

function GatewayField({
  name,
  input,
  ...props
}: InputProps & { name: string; input: GatewayInput }) {
  switch (input.control) {
    case "text":
      // Sound because `TextName` is made of the names of the text inputs of all kinds.
      return <TextField {...props} name={name as TextName} input={input} />;
    case "body":
      return <BodyFields {...props} />;
    case "variables":
      return <VariablesField {...props} />;
    case "values":
      return <ValuesField {...props} />;
    case "choice":
      return <AfterErrorField {...props} />;
    default:
      return assertNever(input);
  }
}

function storedValue(settings: GatewaySettings | undefined, name: string): unknown {
  return new Map<string, unknown>(Object.entries(settings ?? {})).get(name);
}

interface TextFieldProps extends InputProps {
  name: TextName;
  input: GatewayInput & { control: "text" };
}

function TextField({ name, input, settings, errorOf, typed }: TextFieldProps) {
  const t = useTranslations("gateways");
  const { initial = "", placeholder } = input;
  return (
    <InputField
      label={t(`fields.${name}`)}
      hint={t(`hints.${name}`)}
      error={errorOf(name)}
      name={name}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      defaultValue={typed(name, String(storedValue(settings, name) ?? initial))}
    />
  );
}

const bodies = {
  json: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
  form: "to={phone}&text={text}&ref={messageId}",
} as const;

function BodyFields({ settings, errorOf }: InputProps) {
  const t = useTranslations("gateways");
  const [format, setFormat] = useState<"json" | "form">(
    storedValue(settings, "format") === "form" ? "form" : "json",
  );
  const [body, setBody] = useState(String(storedValue(settings, "body") ?? bodies.json));
  return (
    <>
      <Choice
        label={t("format")}
        name="format"
        value={format}
        onValueChange={(next) => {
          setFormat(next);
          // An unchanged example is replaced by the example of the other format.
          if (body === bodies[format]) setBody(bodies[next]);
        }}
        options={[
          { value: "json", label: "JSON" },
          { value: "form", label: t("formats.form") },
        ]}
      />
      <TextareaField
        label={t("body")}
        hint={t("bodyHint")}
        error={errorOf("body")}
        name="body"
        rows={3}
        spellCheck={false}
        className="font-mono text-sm"
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
    </>
  );
}

function VariablesField({ settings, errorOf, typed }: InputProps) {
  const t = useTranslations("gateways");
  const stored = storedValue(settings, "variables") ?? { code: "{code}" };
  const lines = Object.entries(stored).map(([name, text]) => `${name} = ${text}`);
  return (
    <TextareaField
      label={t("variables")}
      hint={t("variablesHint")}
      error={errorOf("variables")}
      name="variables"
      rows={3}
      spellCheck={false}
      className="font-mono text-sm"
      defaultValue={typed("variables", lines.join("\n"))}
    />
  );
}

function ValuesField({ settings, errorOf, typed }: InputProps) {
  const t = useTranslations("gateways");
  const stored = storedValue(settings, "statusValues") ?? {};
  const lines = Object.entries(stored).flatMap(([name, values]) =>
    Array.isArray(values) ? values.map((value) => `${name} = ${value}`) : [],
  );
  return (
    <TextareaField
      label={t("statusValues")}
      hint={t("statusValuesHint")}
      error={errorOf("statusValues")}
      name="statusValues"
      rows={3}
      spellCheck={false}
      className="font-mono text-sm"
      defaultValue={typed("statusValues", lines.join("\n"))}
    />
  );
}

function AfterErrorField({ settings, errorOf }: InputProps) {
  const t = useTranslations("gateways");
  const [value, setValue] = useState<"unknown" | "resend">(
    storedValue(settings, "afterError") === "resend" ? "resend" : "unknown",
  );
  return (
    <div className="grid gap-1.5">
      <Choice
        label={t("afterError")}
        hint={t(`afterErrorHints.${value}`)}
        name="afterError"
        value={value}
        onValueChange={setValue}
        options={(["unknown", "resend"] as const).map((one) => ({
          value: one,
          label: t(`afterErrors.${one}`),
        }))}
      />
      <FormError>{errorOf("afterError")}</FormError>
    </div>
  );
}
