/**
 * All keyboard shortcuts. The handlers take their keys from this table, and the overview lists it. A test fails if a shortcut has
 * no handler or no text.
 */

export const shortcutGroups = ["everywhere", "list", "link", "selection"] as const;
export type ShortcutGroup = (typeof shortcutGroups)[number];

interface Shortcut {
  key: string;
  group: ShortcutGroup;
  command?: true;
  label?: string;
}

export const shortcuts = {
  palette: { key: "k", group: "everywhere", command: true },
  undo: { key: "z", group: "everywhere", command: true },
  save: { key: "Enter", group: "everywhere", command: true, label: "↵" },
  create: { key: "c", group: "everywhere" },
  overview: { key: "?", group: "everywhere" },
  search: { key: "/", group: "list" },
  next: { key: "j", group: "list" },
  previous: { key: "k", group: "list" },
  select: { key: "x", group: "list" },
  quickEdit: { key: "r", group: "list" },
  edit: { key: "e", group: "link" },
  copy: { key: "y", group: "link" },
  visit: { key: "o", group: "link" },
  code: { key: "q", group: "link" },
  duplicate: { key: "d", group: "link" },
  archive: { key: "a", group: "link" },
  delete: { key: "Backspace", group: "link", label: "⌫" },
  tags: { key: "t", group: "selection" },
  move: { key: "m", group: "selection" },
  disable: { key: "p", group: "selection" },
  export: { key: "s", group: "selection" },
  codes: { key: "z", group: "selection" },
  clear: { key: "Escape", group: "selection", label: "Esc" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof shortcuts;

type Named<Command> = {
  [Name in ShortcutName]: (typeof shortcuts)[Name] extends { command: true }
    ? Command extends true
      ? Name
      : never
    : Command extends true
      ? never
      : Name;
}[ShortcutName];

/** Shortcuts with a single key, and shortcuts with ⌘ or Ctrl. */
export type SingleShortcut = Named<false>;
export type CommandShortcut = Named<true>;

export function shortcutKeyOf(name: ShortcutName): string {
  const { key, label, command }: Shortcut = shortcuts[name];
  return label ?? (command ? key.toUpperCase() : key);
}

export function shortcutsOf(
  group: ShortcutGroup,
  command: string,
): { name: ShortcutName; keys: string[] }[] {
  return names().flatMap((name) => {
    const shortcut: Shortcut = shortcuts[name];
    if (shortcut.group !== group) return [];
    const key = shortcutKeyOf(name);
    return [{ name, keys: shortcut.command ? [command, key] : [key] }];
  });
}

/** Sound because the table has only these names. */
function names(): ShortcutName[] {
  return Object.keys(shortcuts) as ShortcutName[];
}
