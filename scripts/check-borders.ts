/** Names every import that crosses a border of borders.ts, every circle of rooms, and every permission without use. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { closed, districts, folders, packages, starts } from "./borders.ts";

export interface SourceFile {
  name: string;
  text: string;
}

/** The TypeScript of a checkout, as git lists it. */
export function readSources(root: string): SourceFile[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"];
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const names = stdout.split("\n").filter((name) => name !== "" && existsSync(join(root, name)));
  return names.map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
}

/** Static, dynamic and type imports, mocks, and files that are started as a process or thread. */
const importPattern =
  /(?:^|\n) *(?:import|export)\b[^;"'`]*?\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"|\bvi\.mock\(\s*"([^"]+)"|\bnew URL\(\s*"(\.[^"]+\.tsx?)"/g;

interface Import {
  /** The importing file and its room. */
  name: string;
  from: string | undefined;
  spec: string;
  /** The imported file and its room; undefined for a package, and outside lib. */
  target: string | undefined;
  to: string | undefined;
}

function importsOf({ name, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map((match) => {
    const spec = match.slice(1).find(Boolean) ?? "";
    const target = fileOf(name, spec);
    return { name, from: roomOf(name), spec, target, to: target && roomOf(target) };
  });
}

export function fileOf(importer: string, spec: string): string | undefined {
  if (spec.startsWith("#components/")) return `${spec.slice(1)}.tsx`;
  if (spec.startsWith(".")) return normalize(join(dirname(importer), spec));
  if (!spec.startsWith("#lib/")) return undefined;
  return `${spec.slice(1)}${spec.endsWith("/schema") ? "" : "/index"}.ts`;
}

/** `links/tags` for lib/links/tags/store.ts. */
function roomOf(name: string): string | undefined {
  return /^lib\/([^/]+\/[^/]+)\//.exec(name)?.[1];
}

/** `a`, `a/b`, `a/b/c` for a/b/c. */
function stepsOf(path: string): string[] {
  return path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
}

/** Asks the table, and remembers which of its entries were needed. */
class Permissions {
  readonly used = new Set<string>();

  allow(owner: string, entries: readonly string[] = [], wanted: readonly string[] = []): boolean {
    const entry = entries.find((one) => wanted.includes(one));
    if (entry !== undefined) this.used.add(`${owner}: ${entry}`);
    return entry !== undefined;
  }

  problemOf(one: Import): string | undefined {
    const { name, from, spec, target, to } = one;
    const passedBy = to !== from && !spec.startsWith("#") && !target?.endsWith(".json");
    if (to && passedBy) return `passes by the door of ${to}`;
    if (/\.test\.tsx?$/.test(name) || (to && to === from)) return undefined;
    if (target === undefined) return this.#packageProblem(one);
    return from ? this.#roomProblem(one, from, target) : this.#folderProblem(one, target);
  }

  #packageProblem({ name, spec }: Import): string | undefined {
    const [owner = ""] = stepsOf(spec).filter((step) => step in packages);
    if (owner === "" || !name.includes("/")) return undefined;
    if (this.allow(owner, packages[owner], stepsOf(name))) return undefined;
    return `only ${packages[owner]?.join(", ")} may import ${owner}`;
  }

  #roomProblem({ name, to }: Import, from: string, target: string): string | undefined {
    if (!to) return this.allow(name, starts[name], [target]) ? undefined : "leaves lib";
    const [[home = ""], [district = ""]] = [from.split("/"), to.split("/")];
    if (home === district || this.allow(home, districts[home], [district, to])) return undefined;
    return `${home} may not import ${to}`;
  }

  #folderProblem({ name, to }: Import, target: string): string | undefined {
    const [folder = ""] = name.split("/");
    if (!(folder in folders)) return undefined;
    const shut = stepsOf(name).find(
      (step) => to && closed[step]?.some((one) => stepsOf(to).includes(one)),
    );
    if (shut) return `${shut} never imports ${to}`;
    const kinds = to && target.endsWith("/schema.ts") ? ["schemas"] : [];
    if (this.allow(folder, folders[folder], [...kinds, ...stepsOf(target)])) return undefined;
    return `${folder} may not import ${target}`;
  }
}

export function findCrossings(sources: readonly SourceFile[]): string[] {
  const permissions = new Permissions();
  const imports = sources.flatMap(importsOf);
  const crossings = imports.flatMap((one) => {
    const problem = permissions.problemOf(one);
    return problem ? [`${one.name}: "${one.spec}" ${problem}`] : [];
  });
  const table = Object.entries({ ...districts, ...folders, ...packages, ...starts });
  const entries = table.flatMap(([owner, list]) => list.map((entry) => `${owner}: ${entry}`));
  const idle = entries.filter((entry) => !permissions.used.has(entry));
  return [
    ...crossings,
    ...idle.map((entry) => `no import needs "${entry}"`),
    ...circlesOf(imports),
  ];
}

function circlesOf(imports: readonly Import[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { name, from, to } of imports) {
    if (!from || !to || from === to || /\.test\.tsx?$/.test(name)) continue;
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (room: string, path: readonly string[]) => {
    if (path.includes(room)) circles.push(`a circle: ${[...path, room].join(" → ")}`);
    else if (!done.has(room)) for (const to of edges.get(room) ?? []) walk(to, [...path, room]);
    done.add(room);
  };
  for (const room of edges.keys()) walk(room, []);
  return circles;
}
