import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import {
  type WechatAccount,
  type WechatKind,
  wechatKinds,
} from "#lib/audience/wechat-accounts/schema";
import { InputField } from "../ui/labeled.tsx";

interface WechatFormProps {
  save: FormAction<null>;
  onDone: () => void;
  edited?: WechatAccount;
}

/** The fields of an account. The AppSecret is never shown; an empty field keeps it. */
export function WechatForm({ save, onDone, edited }: WechatFormProps) {
  const t = useTranslations("wechat");
  const { form, pending, error, errorOf, field } = useForm(save, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      {edited ? null : <KindChoice />}
      <InputField {...field("name", edited?.name)} label={t("name")} autoComplete="off" required />
      {edited ? null : (
        <InputField
          {...field("appId")}
          label={t("appId")}
          autoComplete="off"
          spellCheck={false}
          required
          className="font-mono"
          placeholder="wx0123456789abcdef"
        />
      )}
      <InputField
        label={t("secret")}
        hint={t(edited ? "secretKept" : "secretHint")}
        error={errorOf("secret")}
        name="secret"
        type="password"
        autoComplete="off"
        className="font-mono"
      />
      <DialogSubmit pending={pending}>{t(edited ? "save" : "addTitle")}</DialogSubmit>
    </form>
  );
}

function KindChoice() {
  const t = useTranslations("wechat");
  const [kind, setKind] = useState<WechatKind>("miniProgram");
  return (
    <Choice
      label={t("kind")}
      hint={t(`kindHints.${kind}`)}
      name="kind"
      options={wechatKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      value={kind}
      onValueChange={setKind}
    />
  );
}
