import { useTranslations } from "next-intl";
import { InputField } from "../ui/labeled.tsx";

interface HostFieldProps {
  error: string | undefined;
  initial: string;
}

export function HostField({ error, initial }: HostFieldProps) {
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
