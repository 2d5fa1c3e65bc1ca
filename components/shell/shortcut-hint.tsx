"use client";

import { MenuKey } from "#components/ui/menu";
import { type SingleShortcut, shortcutKeyOf } from "./shortcut-keys.ts";
import { useSingleKeys } from "./shortcuts.tsx";

/** The key of an action in a menu. Shows nothing while single-key shortcuts are turned off. */
export function ShortcutHint({ name }: { name: SingleShortcut }) {
  const [on] = useSingleKeys();
  return on ? <MenuKey>{shortcutKeyOf(name)}</MenuKey> : null;
}
