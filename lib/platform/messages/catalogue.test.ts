import { createTranslator } from "next-intl";
import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import en from "./en.json";
import zh from "./zh.json";

type RichChunk = (inside: ReactNode) => ReactNode;

interface Tree {
  [key: string]: string | Tree;
}

function flatten(tree: Tree, path: string[] = []): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "string"
      ? [[[...path, key].join("."), value]]
      : flatten(value, [...path, key]),
  );
}

function placeholders(message: string): string[] {
  return [...message.matchAll(/\{(\w+)\s*[,}]/g)].map(([, name = ""]) => name).sort();
}

function tags(message: string): string[] {
  return [...message.matchAll(/<(\w+)>/g)].map(([, name = ""]) => name).sort();
}

/** A dot would create a level. */
function idOf(key: string): string {
  return key.replaceAll(".", "_");
}

const english = new Map(flatten(en));
const chinese = new Map(flatten(zh));

describe("the catalogues", () => {
  test("both languages have the same keys", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("every message has the same placeholders and tags in both languages", () => {
    for (const [key, message] of english) {
      const other = chinese.get(key) ?? "";
      expect(placeholders(other), key).toEqual(placeholders(message));
      expect(tags(other), key).toEqual(tags(message));
    }
  });

  test.each([
    ["en", english],
    ["zh", chinese],
  ] as const)("every message of %s can be formatted", (locale, flat) => {
    const problems: string[] = [];
    const translate = createTranslator<Record<string, string>>({
      locale,
      messages: Object.fromEntries([...flat].map(([key, message]) => [idOf(key), message])),
      onError: (error) => problems.push(error.message),
    });
    for (const [key, message] of flat) {
      const values = placeholders(message).map((name): [string, number] => [name, 2]);
      const chunks = tags(message).map((name): [string, RichChunk] => [name, (inside) => inside]);
      translate.rich(idOf(key), { ...Object.fromEntries(values), ...Object.fromEntries(chunks) });
    }
    expect(problems).toEqual([]);
  });

  test("no message is empty", () => {
    for (const [key, message] of [...english, ...chinese]) expect(message.trim(), key).not.toBe("");
  });
});
