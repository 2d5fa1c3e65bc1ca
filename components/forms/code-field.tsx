import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";

interface CodeFieldProps {
  label: string;
  hint?: string;
  error: string | undefined;
}

/** A verification code, or a recovery code. */
export function CodeField({ label, hint, error }: CodeFieldProps) {
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        <Input
          {...control}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          className="font-mono"
        />
      )}
    </Field>
  );
}
