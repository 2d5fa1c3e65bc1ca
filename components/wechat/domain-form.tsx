import { useTranslations } from "next-intl";
import { type ChangeEvent, useRef } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { Switch } from "#components/ui/switch";
import { InputField, SelectField } from "../ui/labeled.tsx";

interface DomainFormProps {
  accountId: string;
  hosts: readonly string[];
  save: FormAction<null>;
  onDone: () => void;
}

/** Longer files are not those of WeChat. */
const fileBytesMax = 1_000;

/** A domain of an official account, and the file that WeChat asks for: chosen, or entered. */
export function DomainForm({ accountId, hosts, save, onDone }: DomainFormProps) {
  const t = useTranslations("wechat.domains");
  const { form, pending, error, typed, field } = useForm(save, onDone);
  const nameRef = useRef<HTMLInputElement>(null);
  const contentRef = useRef<HTMLInputElement>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file || !nameRef.current || !contentRef.current) return;
    nameRef.current.value = file.name;
    contentRef.current.value = file.size > fileBytesMax ? "" : (await file.text()).trim();
  };
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <input type="hidden" name="accountId" value={accountId} />
      <SelectField
        {...field("slug", hosts[0])}
        label={t("domain")}
        options={hosts.map((value) => ({ value, label: value }))}
      />
      <Field label={t("file")} hint={t("fileHint")}>
        {(control) => (
          // Without a name: only its name and content are sent.
          <Input
            {...control}
            type="file"
            accept=".txt,text/plain"
            className="py-1.5"
            onChange={choose}
          />
        )}
      </Field>
      <InputField
        {...field("fileName")}
        label={t("fileName")}
        ref={nameRef}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        placeholder="MP_verify_a1B2c3D4e5F6g7H8.txt"
      />
      <InputField
        {...field("fileContent")}
        label={t("fileContent")}
        ref={contentRef}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        placeholder="a1B2c3D4e5F6g7H8"
      />
      <Switch
        name="callback"
        value="1"
        label={t("callback")}
        hint={t("callbackHint")}
        defaultChecked={typed("callback") === "1"}
      />
      <DialogSubmit pending={pending}>{t("save")}</DialogSubmit>
    </form>
  );
}
