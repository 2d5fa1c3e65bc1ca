"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { availabilityShape } from "#lib/links/creating/schema";
import type { Link } from "#lib/links/fields/schema";

interface KeyFieldProps {
  workspace: string;
  hosts: readonly string[];
  host: string;
  value: string;
  /** The link whose slug is edited. */
  own?: Pick<Link, "key" | "clicks" | "qr">;
  error: string | undefined;
  hint: ReactNode;
  optional?: string;
  onHost: (host: string) => void;
  onValue: (key: string) => void;
}

/** The domain and the slug side by side, as in the short link, and whether the slug is free. */
export function KeyField(props: KeyFieldProps) {
  const { workspace, hosts, host, value, own, error, hint, optional, onHost, onValue } = props;
  const t = useTranslations("linkForm");
  const typed = value.trim() === own?.key ? "" : value.trim();
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
          {own && value.trim() !== own.key && (own.clicks > 0 || own.qr) ? (
            <span className="mt-1 block text-danger">
              {t("keyWarning", { clicks: own.clicks, link: `${host}/${own.key}` })}
            </span>
          ) : null}
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

/** Long enough that a word typed in one go is checked only once. */
const pauseMs = 250;

type KeyState = "unknown" | "free" | "taken" | "invalid";

/** Whether the entered slug is free. A late answer is dropped if the value has changed in the meantime. */
function useAvailability(workspace: string, domain: string, key: string): KeyState {
  const [known, setKnown] = useState<{ asked: string; state: KeyState }>();
  const name = `${domain}/${key}`;
  useEffect(() => {
    if (key === "") return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void fetchState(workspace, domain, key, abort.signal).then((state) => {
        if (!abort.signal.aborted) setKnown({ asked: `${domain}/${key}`, state });
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workspace, domain, key]);
  return key !== "" && known?.asked === name ? known.state : "unknown";
}

async function fetchState(
  workspace: string,
  domain: string,
  key: string,
  signal: AbortSignal,
): Promise<KeyState> {
  try {
    const path = `/links/availability?${new URLSearchParams({ domain, key })}`;
    const answer = await (await callApi({ workspace, path, signal })).json();
    const { available, reason } = availabilityShape.parse(answer);
    return available ? "free" : (reason ?? "unknown");
  } catch {
    return "unknown"; // saving reports it
  }
}
