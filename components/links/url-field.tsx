"use client";

import { useTranslations } from "next-intl";
import type { KeyboardEvent } from "react";
import { LockNote, useLocked } from "#components/plans/locked";
import { shortcuts } from "#components/shell/shortcut-keys.ts";
import { findLookAlike } from "#lib/basics/urls/schema";
import { TextareaField } from "../ui/labeled.tsx";
import type { PartProps } from "./form-fields.tsx";

/** ⌘↵ saves from every field. Enter alone only saves from single-line fields and the URL, which has no line breaks. */
export function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget } = event;
  const inAddress = target instanceof HTMLTextAreaElement && "address" in target.dataset;
  if (event.key !== shortcuts.save.key || event.nativeEvent.isComposing || event.defaultPrevented)
    return;
  if (!inAddress && !event.metaKey && !event.ctrlKey) return;
  event.preventDefault();
  currentTarget.requestSubmit();
}

interface UrlFieldProps extends PartProps {
  hosts: readonly string[];
  isNew: boolean;
  autoFocus?: boolean;
}

export function UrlField({
  draft,
  change,
  errorOf,
  hosts,
  isNew,
  autoFocus = true,
}: UrlFieldProps) {
  const t = useTranslations("linkForm");
  const isFixed = useLocked("destinationEdits") && !isNew;
  const found = findLookAlike(draft.url, hosts);
  const warning = found ? (
    <span role="status" className="break-words text-danger">
      {t(`lookAlike.${found.code}`, { host: found.host, like: found.like })}
    </span>
  ) : undefined;
  return (
    <TextareaField
      label={t("url")}
      error={errorOf("url")}
      hint={isFixed ? <LockNote text="fixed" /> : warning}
      data-address=""
      inputMode="url"
      rows={1}
      required
      autoFocus={autoFocus}
      spellCheck={false}
      placeholder={t("urlPlaceholder")}
      readOnly={isFixed}
      className="min-h-9 break-all read-only:text-ink-muted pointer-coarse:min-h-11"
      value={draft.url}
      onChange={({ target }) => change({ url: target.value.replace(/[\r\n]+/g, "") })}
    />
  );
}
