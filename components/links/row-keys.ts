"use client";

import { useRef } from "react";
import { useShortcut } from "../shell/shortcuts.tsx";

type RowKeys = Readonly<Record<"e" | "x" | "q", (id: string) => void>>;

/** j and k move the focus between rows; e edits the focused row, x selects it, q opens its code. */
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
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("e", () => onFocused(keys.e));
  useShortcut("x", () => onFocused(keys.x));
  useShortcut("q", () => onFocused(keys.q));
  return list;
}
