"use client";

import { useRef } from "react";
import { useShortcut } from "#components/shell/shortcuts";

/** What the keys do with the focused row. */
type RowKeys = Readonly<
  Record<
    "edit" | "select" | "code" | "copy" | "visit" | "duplicate" | "archive" | "delete",
    (id: string) => void
  >
>;

/** Keys that move the focus between the rows of a list, and those that act on the focused one. */
export function useRowKeys(keys: RowKeys): React.RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  function step(by: number) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const here = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    const at = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by;
    rows[Math.max(0, Math.min(rows.length - 1, at))]?.focus();
  }
  function onFocused(act: (id: string) => void) {
    const row = document.activeElement?.closest<HTMLElement>("[data-link]");
    const id = row?.dataset["link"];
    if (id) act(id);
  }
  useShortcut("next", () => step(1));
  useShortcut("previous", () => step(-1));
  useShortcut("edit", () => onFocused(keys.edit));
  useShortcut("select", () => onFocused(keys.select));
  useShortcut("code", () => onFocused(keys.code));
  useShortcut("copy", () => onFocused(keys.copy));
  useShortcut("visit", () => onFocused(keys.visit));
  useShortcut("duplicate", () => onFocused(keys.duplicate));
  useShortcut("archive", () => onFocused(keys.archive));
  useShortcut("delete", () => onFocused(keys.delete));
  return list;
}
