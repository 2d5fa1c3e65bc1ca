"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { useAvailability } from "./availability.ts";

interface KeyFieldProps {
  workspace: string;
  hosts: readonly string[];
  host: string;
  value: string;
  /** The present key of the link, which is not checked. */
  own?: string;
  error: string | undefined;
  hint: ReactNode;
  optional?: string;
  onHost: (host: string) => void;
  onValue: (key: string) => void;
}

/** Host and key side by side, as in the short link, and whether the key is free. */
export function KeyField(props: KeyFieldProps) {
  const { workspace, hosts, host, value, own, error, hint, optional, onHost, onValue } = props;
  const t = useTranslations("linkForm");
  const typed = value.trim() === own ? "" : value.trim();
  const state = useAvailability(workspace, host, typed);
  return (
    <Field
      label={t("key")}
      error={error}
      hint={
        <span role="status">
          {state === "unknown" || (error && state !== "free") ? (
            hint
          ) : (
            <State state={state} link={`${host}/${typed}`} />
          )}
        </span>
      }
      {...(optional ? { optional } : {})}
    >
      {(control) => (
        <div className="flex items-center gap-2">
          {hosts.length > 1 ? (
            <Select
              aria-label={t("domain")}
              options={hosts.map((name) => ({ value: name, label: name }))}
              value={host}
              onValueChange={onHost}
              className="w-auto max-w-[45%] shrink-0"
            />
          ) : (
            <span className="max-w-[45%] shrink-0 truncate text-base text-ink-muted">{host}</span>
          )}
          <span aria-hidden className="text-ink-faint">
            /
          </span>
          <Input
            {...control}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t("keyPlaceholder")}
            value={value}
            onChange={({ target }) => onValue(target.value)}
          />
        </div>
      )}
    </Field>
  );
}

function State({ state, link }: { state: "free" | "taken" | "invalid"; link: string }) {
  const t = useTranslations("linkForm.keyStates");
  const isFree = state === "free";
  const Icon = isFree ? CircleCheck : CircleAlert;
  return (
    <span className={isFree ? "text-accent" : "text-danger"}>
      <Icon aria-hidden className="-mt-0.5 mr-1 inline size-3.5" />
      <span className="break-all">{t(state, { link })}</span>
    </span>
  );
}
