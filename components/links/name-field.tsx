"use client";

import { useState } from "react";
import { NamePicker } from "./name-picker.tsx";
import type { NamedOption } from "./names.ts";
import { PickerField } from "./picker-field.tsx";

interface NameFieldProps {
  label: string;
  optional?: string;
  error?: string | undefined;
  any: string;
  chosen: NamedOption | undefined;
  read: (search: string) => Promise<NamedOption[]>;
  onChoose: (id: string, named?: NamedOption) => void;
  make?: (name: string) => Promise<NamedOption>;
}

const anyName = "any";

export function NameField(props: NameFieldProps) {
  const { label, optional, error, any, chosen, read, onChoose, make } = props;
  const [open, setOpen] = useState(false);
  return (
    <PickerField
      label={label}
      optional={optional}
      error={error}
      text={chosen?.name ?? any}
      open={open}
      onOpenChange={setOpen}
    >
      <NamePicker
        label={label}
        read={read}
        first={{ id: anyName, name: any }}
        markOf={(id) => (id === (chosen?.id ?? anyName) ? "all" : "none")}
        onPick={(named) => {
          setOpen(false);
          if (named.id === anyName) onChoose("");
          else onChoose(named.id, named);
        }}
        {...(make ? { make } : {})}
      />
    </PickerField>
  );
}
