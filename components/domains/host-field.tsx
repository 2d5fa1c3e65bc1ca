import { useTranslations } from "next-intl";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";

interface HostFieldProps {
  error: string | undefined;
  initial: string;
}

export function HostField({ error, initial }: HostFieldProps) {
  const t = useTranslations("domains");
  return (
    <Field label={t("host")} hint={t("hostHint")} error={error}>
      {(control) => (
        <Input
          {...control}
          name="slug"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          placeholder="go.example.com"
          defaultValue={initial}
        />
      )}
    </Field>
  );
}
