/** Checks that each marker `// defence: name` has an entry in test/defences.json, and that each entry has a test. */
import { existsSync } from "node:fs";
import { type Defence, defences } from "../test/defences.ts";
import type { SourceFile } from "./imports.ts";

interface Marker {
  name: string;
  end: number; // end of its line
}

const pattern = /^[ \t]*(?:\/\/|\{\/\*) defence: (.*?)(?: \*\/\})?$/gm;

export function findMarkers(text: string): Marker[] {
  return [...text.matchAll(pattern)].map(({ 0: line, 1: name = "", index }) => ({
    name,
    end: index + line.length,
  }));
}

export function findLostDefences(
  sources: readonly SourceFile[],
  list: readonly Defence[] = defences,
): string[] {
  const files = filesOfDefences(sources);
  const names = list.map(({ name }) => name);
  const unknown = [...files].filter(([name]) => !names.includes(name));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  return [
    ...unknown.map(([name, [file]]) => `${file}: test/defences.json has no entry "${name}".`),
    ...twice.map((name) => `test/defences.json: "${name}" has several entries.`),
    ...list.flatMap(({ name, test }) => [
      ...describeMarkers(name, files.get(name) ?? []),
      ...(existsSync(test) ? [] : [`test/defences.json: "${name}" has no test ${test}.`]),
    ]),
  ];
}

function describeMarkers(name: string, [file, ...more]: readonly string[]): string[] {
  if (file && more.length === 0) return [];
  const problem = file ? `is marked in ${[file, ...more].join(", ")}` : "has no marker";
  return [`test/defences.json: "${name}" ${problem}.`];
}

export function filesOfDefences(sources: readonly SourceFile[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const source of sources) {
    for (const { name } of findMarkers(source.text)) {
      files.set(name, [...(files.get(name) ?? []), source.name]);
    }
  }
  return files;
}
