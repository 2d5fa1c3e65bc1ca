import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadMessages, locales } from "#lib/platform/messages/schema";
import { shortcutGroups, shortcuts, shortcutsOf } from "./shortcut-keys.ts";

const components = join(import.meta.dirname, "..");
const sources = readdirSync(components, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => ({ name, text: readFileSync(join(components, name), "utf8") }));
const code = sources.map(({ text }) => text).join("\n");

test("every shortcut has a handler", () => {
  // The undo of a toast and the keys of forms have handlers of their own, which take the key from the table.
  const unused = Object.keys(shortcuts).filter((name) => {
    const used = new RegExp(
      `use(?:Shortcut|CommandKey)\\(\\s*"${name}"|shortcuts\\.${name}\\b`,
      "m",
    );
    return !used.test(code);
  });
  expect(unused).toEqual([]);
});

test("no handler has a key that is not in the table", () => {
  const named = [...code.matchAll(/use(?:Shortcut|CommandKey)\(\s*"([^"]+)"/g)].map(
    ([, one]) => one,
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !Object.keys(shortcuts).includes(String(name)))).toEqual([]);
});

test("every action in the menus of a link has a key", () => {
  const actionsOf = (file: string) => {
    const text = sources.find(({ name }) => name === file)?.text ?? "";
    const actions = [...text.matchAll(/<MenuItem\b/g)];
    const keys = [...text.matchAll(/<ShortcutHint name="(\w+)"/g)].map(([, name]) => String(name));
    return { file, actions: actions.length, keys };
  };
  // Details open with the link itself; each other entry names its key.
  const files = [
    ["links/link-menu.tsx", 0],
    ["links/link-row.tsx", 1],
  ] as const;
  for (const [file, native] of files) {
    const { actions, keys } = actionsOf(file);
    expect(actions, file).toBeGreaterThan(2);
    expect(keys, file).toHaveLength(actions - native);
    expect(keys.filter((name) => !Object.keys(shortcuts).includes(name))).toEqual([]);
  }
});

test("no two shortcuts that are active together have the same key", () => {
  const all = Object.values(shortcuts).map((one) => `${"command" in one ? "⌘" : ""}${one.key}`);
  expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
});

test.each(locales)("the overview in %s has every shortcut, with a text", async (locale) => {
  const messages = await loadMessages(locale);
  const texts: Record<string, unknown> = messages.shortcuts;
  const listed = shortcutGroups.flatMap((group) => {
    expect(messages.shortcuts.groups[group]).toEqual(expect.any(String));
    return shortcutsOf(group, "⌘").map(({ name }) => name);
  });
  expect(listed.toSorted()).toEqual(Object.keys(shortcuts).toSorted());
  expect(listed.filter((name) => typeof texts[name] !== "string")).toEqual([]);
});
