import { InputField } from "../ui/labeled.tsx";

interface CodeFieldProps {
  label: string;
  hint?: string;
  error: string | undefined;
}

export function CodeField({ label, hint, error }: CodeFieldProps) {
  return (
    <InputField
      label={label}
      error={error}
      {...(hint === undefined ? {} : { hint })}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      required
      className="font-mono"
    />
  );
}
