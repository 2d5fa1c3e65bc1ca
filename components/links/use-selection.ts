"use client";

import { useState } from "react";
import type { Link } from "#lib/links/fields/schema";

/** The selection in a list: links on any of its pages, or all links that match. */
export function useSelection(shown: readonly Link[]) {
  const [chosen, set] = useState<ReadonlyMap<string, Link>>(new Map());
  const [all, setAll] = useState(false);
  const [last, setLast] = useState<string>();
  const byId = new Map(shown.map((link) => [link.id, link]));
  // Uses the current state of links that are shown.
  const links = [...chosen.values()].map((link) => byId.get(link.id) ?? link);
  const onPage = all ? shown.length : shown.filter(({ id }) => chosen.has(id)).length;

  function put(links: readonly Link[]) {
    setAll(false);
    set(new Map(links.map((link) => [link.id, link])));
  }

  function toggle(id: string) {
    const link = byId.get(id);
    if (!link) return;
    // Deselecting one of all matching links leaves the others on this page selected.
    const before = all ? shown : links;
    const without = before.filter((one) => one.id !== id);
    put(without.length < before.length ? without : [...before, link]);
    setLast(id);
  }

  function toggleTo(id: string) {
    const [from, to] = [last, id].map((end) => shown.findIndex((link) => link.id === end));
    if (from === undefined || to === undefined || from < 0) return toggle(id);
    put([...links, ...shown.slice(Math.min(from, to), Math.max(from, to) + 1)]);
    setLast(id);
  }

  function toggleAll() {
    const others = links.filter(({ id }) => !byId.has(id));
    put(onPage === shown.length ? (all ? [] : others) : [...others, ...shown]);
  }

  return {
    links,
    all,
    count: all ? shown.length : links.length,
    onPage,
    put,
    toggle,
    toggleTo,
    has: (id: string) => all || chosen.has(id),
    clear: () => put([]),
    selectAll: () => setAll(true),
    toggleAll,
  };
}

export type Selection = ReturnType<typeof useSelection>;
