"use client";

import { useState } from "react";
import type { Link } from "#lib/links/fields/schema";

/** The selected links of a list. Links that leave the list are deselected. */
export function useSelection(shown: readonly Link[]) {
  const [ids, set] = useState<ReadonlySet<string>>(new Set());
  /** The start of a range. */
  const [last, setLast] = useState<string>();
  const links = shown.filter(({ id }) => ids.has(id));

  function toggle(id: string) {
    const after = new Set(ids);
    if (!after.delete(id)) after.add(id);
    set(after);
    setLast(id);
  }

  /** Selects all rows between the last toggled one and this one. */
  function toggleTo(id: string) {
    const [from, to] = [last, id].map((end) => shown.findIndex((link) => link.id === end));
    if (from === undefined || to === undefined || from < 0) return toggle(id);
    const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    set(new Set([...ids, ...range.map((link) => link.id)]));
    setLast(id);
  }

  return {
    ids,
    links,
    set,
    toggle,
    toggleTo,
    has: (id: string) => ids.has(id),
    clear: () => set(new Set()),
    toggleAll: () => set(new Set(links.length === shown.length ? [] : shown.map(({ id }) => id))),
  };
}
