import { useTranslations } from "next-intl";
import { InputField } from "../ui/labeled.tsx";

export function HostField({ error, initial }: { error: string | undefined; initial: string }) {
  const t = useTranslations("domains");
  return (
    <InputField
      label={t("host")}
      hint={t("hostHint")}
      error={error}
      name="slug"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      required
      placeholder="go.example.com"
      defaultValue={initial}
    />
  );
}
