"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";

interface KeyFieldProps {
  hosts: readonly string[];
  host: string;
  value: string;
  error: string | undefined;
  hint: ReactNode;
  optional?: string;
}

/** Host and key side by side, as they will stand in the short link. */
export function KeyField({ hosts, host, value, error, hint, optional }: KeyFieldProps) {
  const t = useTranslations("linkForm");
  const [chosen, setChosen] = useState(host);
  return (
    <Field label={t("key")} error={error} hint={hint} {...(optional ? { optional } : {})}>
      {(control) => (
        <div className="flex items-center gap-2">
          <input type="hidden" name="domain" value={chosen} />
          {hosts.length > 1 ? (
            <Select
              aria-label={t("domain")}
              options={hosts.map((name) => ({ value: name, label: name }))}
              value={chosen}
              onValueChange={setChosen}
              className="w-auto max-w-[45%] shrink-0"
            />
          ) : (
            <span className="max-w-[45%] shrink-0 truncate text-base text-ink-muted">{chosen}</span>
          )}
          <span aria-hidden className="text-ink-faint">
            /
          </span>
          <Input
            {...control}
            name="key"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t("keyPlaceholder")}
            defaultValue={value}
          />
        </div>
      )}
    </Field>
  );
}
