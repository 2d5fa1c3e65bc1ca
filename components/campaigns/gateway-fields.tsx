import { useTranslations } from "next-intl";
import { useState } from "react";
import type { GatewaySettings } from "#lib/outreach/gateways/schema";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";

export interface FieldsProps {
  /** Those of another kind are not used. */
  settings: GatewaySettings | undefined;
  errorOf: (name: string) => string | undefined;
  typed: (name: string, initial?: string) => string;
}

type FieldName =
  | "url"
  | "header"
  | "idPath"
  | "okPath"
  | "okValue"
  | "accountSid"
  | "sender"
  | "accessKeyId"
  | "signName"
  | "templateCode";

interface TextFieldProps extends FieldsProps {
  name: FieldName;
  initial: string | undefined;
  placeholder?: string;
}

function TextField({ name, initial = "", placeholder, errorOf, typed }: TextFieldProps) {
  const t = useTranslations("gateways");
  return (
    <Field label={t(`fields.${name}`)} hint={t(`hints.${name}`)} error={errorOf(name)}>
      {(control) => (
        <Input
          {...control}
          name={name}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          defaultValue={typed(name, initial)}
        />
      )}
    </Field>
  );
}

const bodies = {
  json: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
  form: "to={phone}&text={text}&ref={messageId}",
} as const;

export function HttpFields(props: FieldsProps) {
  const t = useTranslations("gateways");
  const own = props.settings?.kind === "http" ? props.settings : undefined;
  const [format, setFormat] = useState<"json" | "form">(own?.format ?? "json");
  const [body, setBody] = useState(own?.body ?? bodies.json);
  return (
    <>
      <TextField
        {...props}
        name="url"
        initial={own?.url}
        placeholder="https://sms.example.com/send"
      />
      <Choice
        label={t("format")}
        name="format"
        value={format}
        onValueChange={(next) => {
          setFormat(next);
          // An example that was not changed becomes that of the other format.
          if (body === bodies[format]) setBody(bodies[next]);
        }}
        options={[
          { value: "json", label: "JSON" },
          { value: "form", label: t("formats.form") },
        ]}
      />
      <Field label={t("body")} hint={t("bodyHint")} error={props.errorOf("body")}>
        {(control) => (
          <Textarea
            {...control}
            name="body"
            rows={3}
            spellCheck={false}
            className="font-mono text-sm"
            value={body}
            onChange={({ target }) => setBody(target.value)}
          />
        )}
      </Field>
      <TextField {...props} name="header" initial={own?.header ?? "Authorization"} />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...props} name="idPath" initial={own?.idPath} />
        <TextField {...props} name="okPath" initial={own?.okPath} />
        <TextField {...props} name="okValue" initial={own?.okValue} />
      </div>
    </>
  );
}

export function TwilioFields(props: FieldsProps) {
  const own = props.settings?.kind === "twilio" ? props.settings : undefined;
  return (
    <>
      <TextField {...props} name="accountSid" initial={own?.accountSid} />
      <TextField {...props} name="sender" initial={own?.sender} />
    </>
  );
}

export function AlibabaFields(props: FieldsProps) {
  const t = useTranslations("gateways");
  const own = props.settings?.kind === "alibaba" ? props.settings : undefined;
  const variables = Object.entries(own?.variables ?? { code: "{code}" });
  const lines = variables.map(([name, text]) => `${name} = ${text}`).join("\n");
  return (
    <>
      <TextField {...props} name="accessKeyId" initial={own?.accessKeyId} />
      <TextField {...props} name="signName" initial={own?.signName} />
      <TextField {...props} name="templateCode" initial={own?.templateCode} />
      <Field label={t("variables")} hint={t("variablesHint")} error={props.errorOf("variables")}>
        {(control) => (
          <Textarea
            {...control}
            name="variables"
            rows={3}
            spellCheck={false}
            className="font-mono text-sm"
            defaultValue={props.typed("variables", lines)}
          />
        )}
      </Field>
    </>
  );
}
