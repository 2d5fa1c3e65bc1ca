/** For tests of server actions: all of them, found in the sources. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A function of a module that was found in the sources. */
export type Action = (...given: unknown[]) => Promise<unknown>;

export const root = join(import.meta.dirname, "..");

/** Every server action by its name. */
export async function findActions(): Promise<Map<string, Action>> {
  const found = new Map<string, Action>();
  for (const file of sources(/\.tsx?$/)) {
    if (!/^["']use server["'];?$/m.test(readFileSync(join(root, file), "utf8"))) continue;
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href);
    for (const [name, value] of Object.entries(exported)) {
      // Sound because a module with "use server" exports asynchronous functions only.
      if (typeof value === "function") found.set(name, value as Action);
    }
  }
  return found;
}

/** The source files of the dashboard whose path ends like this. */
export function sources(ending: RegExp): string[] {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(folder, file),
    ),
  );
  return files.filter((file) => ending.test(file) && !/\.test\.tsx?$/.test(file));
}
