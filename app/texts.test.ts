/**
 * Layouts and pages list the messages that they send to the browser. Here the list of each page is compared with what its
 * client components read: those that imports reach from the page and from the layouts above it.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fileOf, readSources, type SourceFile } from "../scripts/imports.ts";

const sources = new Map(readSources(join(import.meta.dirname, "..")).map((one) => [one.name, one]));

/** Static imports and those of `dynamic`. What `lazyPart` loads brings all messages. */
const importPattern =
  /(?:^|\n)(?:import|export)\s+(?!type\b)([^;"]*?)\s*from\s+"([^"]+)"|\bimport\("([^"]+)"\)/g;
const readPattern = /use(?:Translations|WordsOf)\((?:"([^"]*)")?([^)]*)\)|\bmessages="(\w+)"/g;

function importedBy({ name, text }: SourceFile): SourceFile[] {
  const eager = text
    .replace(/const load\w+ = \(\) => import\("[^"]+"\);/g, "")
    .replace(/lazyPart\([\s\S]*?\n?\);/g, "");
  return [...eager.matchAll(importPattern)].flatMap(([, names = "", from, loaded]) => {
    const types =
      names !== "" &&
      names
        .replace(/[{}\s]/g, "")
        .split(",")
        .every(isType);
    const file = types ? undefined : sources.get(fileOf(name, from ?? loaded ?? "") ?? "");
    return file && !file.text.startsWith('"use server"') ? [file] : [];
  });
}

/** The braces and blanks of `{ type A, type B }` are gone. */
function isType(name: string): boolean {
  return name === "" || name.startsWith("type");
}

/** The messages that client components read, of everything that a file imports. */
function messagesOf(entry: SourceFile): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: SourceFile, above: boolean) => {
    const client = above || /^"use client";/m.test(file.text.slice(0, 300));
    if (seen.has(`${client} ${file.name}`)) return;
    seen.add(`${client} ${file.name}`);
    if (client) for (const path of pathsIn(file)) found.add(path);
    for (const next of importedBy(file)) visit(next, client);
  };
  visit(entry, false);
  return found;
}

function pathsIn({ name, text }: SourceFile): string[] {
  return [...text.matchAll(readPattern)].flatMap(([all, path, more, list]) => {
    if (list) return list;
    // A list of some errors, in the same file.
    const [, keys] = /\berrorKeys = \[([^\]]*)\]/.exec(text) ?? [];
    if (path === "errors" && keys)
      return [...keys.matchAll(/"(\w+)"/g)].map(([, key]) => `errors.${key}`);
    // The names of lists with dialogs come from a property, whose values are found where they are set.
    if (path === undefined && name.startsWith("components/named/")) return "common";
    if (path === undefined || more)
      throw new Error(`${name}: ${all} names no part of the messages`);
    return path;
  });
}

/** What a layout or page sends: of={[…]}, or a list of that name in the same file. */
function sentBy({ text }: SourceFile): string[] {
  return [...text.matchAll(/\b(?:of=\{|texts = |frameTexts = )\[([^\]]*)\]/g)].flatMap(
    ([, list = ""]) => [...list.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path),
  );
}

const covers = (sent: Iterable<string>, path: string) =>
  [...sent].some((one) => path === one || path.startsWith(`${one}.`));

const framing = ["layout", "error", "loading", "not-found"];

/** The files of Next.js from the root to a page. */
function segmentsOf(page: string): string[] {
  const folders = [];
  for (let folder = dirname(page); folder !== "."; folder = dirname(folder))
    folders.unshift(folder);
  const frames = folders.flatMap((folder) => framing.map((name) => `${folder}/${name}.tsx`));
  return [...frames, page].filter((name) => existsSync(join(import.meta.dirname, "..", name)));
}

const pages = [...sources.keys()].filter((name) => /^app\/.*\bpage\.tsx$/.test(name));

const fileNamed = (name: string) => {
  const file = sources.get(name);
  if (!file) throw new Error(`${name} is not in the checkout`);
  return file;
};

test.each(pages)("%s sends the messages that its client components read", (page) => {
  const files = segmentsOf(page).map(fileNamed);
  const sent = files.flatMap(sentBy);
  const missing = files
    .flatMap((file) => [...messagesOf(file)])
    .filter((path) => !covers(sent, path));
  expect([...new Set(missing)].sort()).toEqual([]);
});

test("nothing is sent that no page below reads", () => {
  const needed = new Map<string, Set<string>>();
  for (const page of pages) {
    const files = segmentsOf(page);
    const read = files.flatMap((name) => [...messagesOf(fileNamed(name))]);
    for (const name of files) needed.set(name, new Set([...(needed.get(name) ?? []), ...read]));
  }
  const idle = [...needed].flatMap(([name, read]) =>
    sentBy(fileNamed(name))
      .filter((path) => ![...read].some((one) => covers([path], one)))
      .map((path) => `${name}: ${path}`),
  );
  expect(idle).toEqual([]);
});

test("no page sends what a layout above it has sent", () => {
  const twice = pages.flatMap((page) => {
    const files = segmentsOf(page).map(fileNamed);
    return files.flatMap((file, at) =>
      sentBy(file)
        .filter((path) => covers(files.slice(0, at).flatMap(sentBy), path))
        .map((path) => `${file.name}: ${path}`),
    );
  });
  expect([...new Set(twice)]).toEqual([]);
});
