import { createTranslator } from "next-intl";
import { describe, expect, test } from "vitest";
import en from "./en.json";
import zh from "./zh.json";

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

/** A dot would mean a level. */
function idOf(key: string): string {
  return key.replaceAll(".", "_");
}

const english = new Map(flatten(en));
const chinese = new Map(flatten(zh));

describe("the catalogues", () => {
  test("both languages have the same keys", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("every message has the same placeholders in both languages", () => {
    for (const [key, message] of english) {
      expect(placeholders(chinese.get(key) ?? ""), key).toEqual(placeholders(message));
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
      translate(idOf(key), Object.fromEntries(placeholders(message).map((name) => [name, 2])));
    }
    expect(problems).toEqual([]);
  });

  test("no message is empty", () => {
    for (const [key, message] of [...english, ...chinese]) expect(message.trim(), key).not.toBe("");
  });
});
