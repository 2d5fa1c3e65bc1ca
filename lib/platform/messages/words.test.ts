/** Keeps the words that docs/writing.md replaces out of the texts of both languages and out of the documentation. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

interface Term {
  english: string[];
  chinese: string[];
  replaced: string[];
}

/** The rows of the glossary. */
function readGlossary(): Term[] {
  const guide = readFileSync("docs/writing.md", "utf8");
  const lines = guide.slice(guide.indexOf("## Glossary")).split("\n");
  const rows = lines.filter((line) => line.startsWith("|")).slice(2);
  return rows.map((row) => {
    const [, , english = "", chinese = "", replaced = ""] = row
      .split("|")
      .map((cell) => cell.trim());
    const split = (cell: string, separator: RegExp) => cell.split(separator).filter(Boolean);
    return {
      english: split(english, /, /),
      chinese: split(chinese, /、/),
      replaced: split(replaced, / · /),
    };
  });
}

const glossary = readGlossary();
const isChinese = (word: string) => /\p{Script=Han}/u.test(word);
const patterns = glossary
  .flatMap(({ replaced }) => replaced)
  .map((word) => {
    const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(isChinese(word) ? escaped : `\\b${escaped}\\b`, "iu");
  });

function replacedIn(texts: Iterable<readonly [string, string]>): string[] {
  return [...texts].flatMap(([name, text]) =>
    patterns.flatMap((pattern) => {
      const found = pattern.exec(text);
      return found ? [`${name}: "${found[0]}" in "${text.slice(0, 120)}"`] : [];
    }),
  );
}

/** In quotes, below the table “Plain English” of the guide. */
function readPhrases(): RegExp[] {
  const guide = readFileSync("docs/writing.md", "utf8");
  const [, list = ""] = /^A test keeps these phrases(.*?)\n\n/ms.exec(guide) ?? [];
  return [...list.matchAll(/“([^”]+)”/g)].map(
    ([, phrase = ""]) => new RegExp(`\\b${phrase.replaceAll(/\s+/g, "\\s+")}\\b`, "i"),
  );
}

const phrases = readPhrases();
const codeFolders = ["app", "components", "lib", "prisma", "scripts", "workers"];

function sourceFiles(): string[] {
  return codeFolders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs|prisma|sql)$/.test(name) && !/\.test\.|generated/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The comments of product code, without the marks of their lines. */
function comments(): [string, string][] {
  return sourceFiles().map((name): [string, string] => {
    const lines = readFileSync(name, "utf8").split("\n");
    const marked = lines.filter((line) => /^\s*(\/\/|\/?\*|\{\/\*|--)/.test(line));
    return [name, marked.map((line) => line.replace(/^\s*[/*{-]+/, "").trim()).join(" ")];
  });
}

/** A comment that starts like this leaves its subject to the reader: “Of the file: memory has copies.” */
const withoutSubject = /^\s*(?:\/{2,3}|\/\*\*) ?(?:Of|Those|That of) /m;

function phrasesIn(texts: Iterable<readonly [string, string]>): string[] {
  return [...texts].flatMap(([name, text]) =>
    phrases.flatMap((phrase) => {
      const found = phrase.exec(text);
      return found ? [`${name}: “${found[0]}”`] : [];
    }),
  );
}

function documents(): [string, string][] {
  const folder = readdirSync("docs", { recursive: true, encoding: "utf8" });
  const names = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...folder.filter((name) => name.endsWith(".md")).map((name) => join("docs", name)),
  ];
  // The guide itself contains the words.
  const others = names.filter((name) => name !== join("docs", "writing.md"));
  return others.flatMap((name) =>
    readFileSync(name, "utf8")
      .split("\n")
      .map((line, at): [string, string] => [`${name}:${at + 1}`, line]),
  );
}

test("no text has a word that the glossary replaces", () => {
  expect(replacedIn(flatten(en))).toEqual([]);
  expect(replacedIn(flatten(zh))).toEqual([]);
});

test("no document has a word that the glossary replaces", () => {
  expect(replacedIn(documents())).toEqual([]);
});

test("no comment starts with a genitive whose noun is missing", () => {
  const files = sourceFiles().filter((name) => withoutSubject.test(readFileSync(name, "utf8")));
  expect(files).toEqual([]);
  expect(withoutSubject.test("  /** Of the page. */")).toBe(true);
});

test("no comment, document or text has a phrase that reads like a riddle", () => {
  expect(phrases.length).toBeGreaterThan(10);
  expect(phrasesIn(comments())).toEqual([]);
  expect(phrasesIn(documents())).toEqual([]);
  expect(phrasesIn(flatten(en))).toEqual([]);
  expect(phrasesIn([["planted", "Whoever turns back has answered."]])).toHaveLength(1);
});

test("a replaced word is found wherever it is planted", () => {
  expect(replacedIn([["planted", "Send letter"]])).toHaveLength(1);
  expect(replacedIn([["planted", "请填写短名"]])).toHaveLength(1);
});

test("no two concepts share a word", () => {
  for (const words of [
    glossary.flatMap(({ english }) => english),
    glossary.flatMap(({ chinese }) => chinese),
    glossary.flatMap(({ replaced }) => replaced),
  ]) {
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  }
});

const sources = ["app", "components", "lib", "workers"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|generated/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8")),
);

/** In `status${code}` any value may follow; `${value}` alone matches nothing. */
function patternOf(template: string): RegExp | undefined {
  const parts = template.split(/\$\{[^}]*\}/);
  if (parts.join("") === "" || !parts.every((part) => /^[\w.-]*$/.test(part))) return undefined;
  return new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join("[\\w-]+")}$`);
}

test("every text is used", () => {
  const found = (pattern: RegExp) =>
    new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, word = ""]) => word)));
  const literals = found(/["'`]([\w.-]+)["'`]/g);
  const templates = [...found(/`([\w.-]*\$\{[^`]*)`/g)].flatMap((one) => patternOf(one) ?? []);
  const isUsed = (key: string) => {
    const parts = key.split(".");
    const ends = parts.map((_, from) => parts.slice(from).join("."));
    return ends.some((end) => literals.has(end) || templates.some((one) => one.test(end)));
  };
  const unused = flatten(en).flatMap(([key]) => (isUsed(key) ? [] : [key]));
  expect(unused).toEqual([]);
});
