/** Reads the imports of every file, for check-borders.ts and similar checks. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface SourceFile {
  name: string;
  text: string;
}

export function readSources(root: string): SourceFile[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"];
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const names = stdout.split("\n").filter((name) => name !== "" && existsSync(join(root, name)));
  return names.map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
}

/** Static, dynamic and type imports, mocks, and files started as a process or thread. */
const importPattern =
  /(?:^|\n) *(?:import|export)\b[^;"'`]*?\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"|\bvi\.mock\(\s*"([^"]+)"|\bnew URL\(\s*"(\.[^"]+\.tsx?)"/g;

export interface ModuleImport {
  name: string;
  from: string | undefined;
  spec: string;
  /** The imported file and its room. Undefined for packages and for files outside of lib. */
  target: string | undefined;
  to: string | undefined;
}

export function importsOf({ name, text }: SourceFile): ModuleImport[] {
  return [...text.matchAll(importPattern)].map((match) => {
    const spec = match.slice(1).find(Boolean) ?? "";
    const target = fileOf(name, spec);
    return { name, from: roomOf(name), spec, target, to: target && roomOf(target) };
  });
}

export function fileOf(importer: string, spec: string): string | undefined {
  if (spec.startsWith("#components/"))
    return spec.endsWith(".ts") ? spec.slice(1) : `${spec.slice(1)}.tsx`;
  if (spec.startsWith(".")) return normalize(join(dirname(importer), spec));
  if (!spec.startsWith("#lib/")) return undefined;
  return `${spec.slice(1)}${spec.endsWith("/schema") ? "" : "/index"}.ts`;
}

function roomOf(name: string): string | undefined {
  return /^lib\/([^/]+\/[^/]+)\//.exec(name)?.[1];
}

export function cyclesOf(imports: readonly ModuleImport[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { name, from, to } of imports) {
    if (!from || !to || from === to || /\.test\.tsx?$/.test(name)) continue;
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (room: string, path: readonly string[]) => {
    if (path.includes(room)) cycles.push(`a circle: ${[...path, room].join(" → ")}`);
    else if (!done.has(room)) for (const to of edges.get(room) ?? []) walk(to, [...path, room]);
    done.add(room);
  };
  for (const room of edges.keys()) walk(room, []);
  return cycles;
}
