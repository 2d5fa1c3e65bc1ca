"use client";

import { CopyButton } from "./copy-button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";

interface CopyFieldProps {
  label: string;
  text: string;
  copy: string;
  /** The accessible name of the button, if its text is not clear enough. */
  copyLabel?: string;
  className?: string;
}

export function CopyField({ label, text, copy, copyLabel = copy, className }: CopyFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            readOnly
            value={text}
            className={className}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={text} label={copyLabel} autoFocus className="h-9 pointer-coarse:h-11">
            {copy}
          </CopyButton>
        </div>
      )}
    </Field>
  );
}
