/** Debian's faketime, a library that shifts the clock of the programs that load it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { peekUnpacked, unpackDebianPackages } from "../../../scripts/debian.ts";

/** The library; undefined where it cannot be unpacked. */
export async function findFaketime(): Promise<string | undefined> {
  try {
    const { folder } =
      peekUnpacked("libfaketime") ??
      (await unpackDebianPackages("libfaketime", ["libfaketime"], () => undefined));
    const libraries = join(folder, "usr", "lib");
    const found = readdirSync(libraries, { recursive: true, encoding: "utf8" }).find((name) =>
      name.endsWith("libfaketime.so.1"),
    );
    return found && existsSync(join(libraries, found)) ? join(libraries, found) : undefined;
  } catch {
    return undefined;
  }
}

/** The settings of a process whose clock is shifted by what `file` contains, such as `+1200`. */
export function clockSettings(library: string, file: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
