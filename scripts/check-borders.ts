/** Reports imports that violate borders.ts, cycles of rooms, and unused permissions. */
import { denied, districts, folders, packages, startedEntries } from "./borders.ts";
import { cyclesOf, importsOf, type ModuleImport, type SourceFile } from "./imports.ts";

function stepsOf(path: string): string[] {
  return path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
}

class Permissions {
  readonly used = new Set<string>();

  allow(owner: string, entries: readonly string[] = [], wanted: readonly string[] = []): boolean {
    const entry = entries.find((one) => wanted.includes(one));
    if (entry !== undefined) this.used.add(`${owner}: ${entry}`);
    return entry !== undefined;
  }

  problemOf(one: ModuleImport): string | undefined {
    const { name, from, spec, target, to } = one;
    const passedBy = to !== from && !spec.startsWith("#") && !target?.endsWith(".json");
    if (to && passedBy) return `passes by the door of ${to}`;
    if (/\.test\.tsx?$/.test(name) || (to && to === from)) return undefined;
    if (target === undefined) return this.#packageProblem(one);
    return from ? this.#roomProblem(one, from, target) : this.#folderProblem(one, target);
  }

  #packageProblem({ name, spec }: ModuleImport): string | undefined {
    const [owner = ""] = stepsOf(spec).filter((step) => step in packages);
    if (owner === "" || !name.includes("/")) return undefined;
    if (this.allow(owner, packages[owner], stepsOf(name))) return undefined;
    return `only ${packages[owner]?.join(", ")} may import ${owner}`;
  }

  #roomProblem({ name, to }: ModuleImport, from: string, target: string): string | undefined {
    if (!to) return this.allow(name, startedEntries[name], [target]) ? undefined : "leaves lib";
    const [[home = ""], [district = ""]] = [from.split("/"), to.split("/")];
    if (home === district || this.allow(home, districts[home], [district, to])) return undefined;
    return `${home} may not import ${to}`;
  }

  #folderProblem({ name, to }: ModuleImport, target: string): string | undefined {
    const [folder = ""] = name.split("/");
    if (!(folder in folders)) return undefined;
    const shut = stepsOf(name).find(
      (step) => to && denied[step]?.some((one) => stepsOf(to).includes(one)),
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
  const table = Object.entries({ ...districts, ...folders, ...packages, ...startedEntries });
  const entries = table.flatMap(([owner, list]) => list.map((entry) => `${owner}: ${entry}`));
  const idle = entries.filter((entry) => !permissions.used.has(entry));
  return [...crossings, ...idle.map((entry) => `no import needs "${entry}"`), ...cyclesOf(imports)];
}
