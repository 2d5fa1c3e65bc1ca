/** Checks the lock file: known licenses, complete checksums, and no install scripts. */
import { readFileSync } from "node:fs";

interface LockedPackage {
  license?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

/** Licenses of programs, fonts and data that may be combined with AGPL-3.0. */
const allowed = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Unlicense"],
  ...["BlueOak-1.0.0", "CC0-1.0", "CC-BY-4.0", "Unicode-3.0", "PSF-2.0", "Python-2.0"],
  ...["OFL-1.1", "SIL OPEN FONT LICENSE"],
  // Copyleft that is compatible with AGPL-3.0.
  ...["MPL-2.0", "LGPL-3.0-or-later"],
  ...["GPL-3.0-only", "GPL-3.0-or-later", "AGPL-3.0-only", "AGPL-3.0-or-later"],
]);

/** Incompatible licenses that are allowed, because the packages are parts of separate programs that Fuxi only runs. */
const separate: Record<string, string> = {
  elkjs: "EPL-2.0",
};

/** Licenses that are missing or unusual in the lock file, read from the package itself. */
const readByHand: Record<string, string> = {
  dub: "MIT",
  "parse-cache-control": "BSD-3-Clause",
  "seq-queue": "MIT",
  "dbip-city-mmdb": "CC-BY-4.0",
};

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

export function licenceOf(name: string, locked: string | undefined): string | undefined {
  return readByHand[name.replace(/^@ip-location-db\//, "")] ?? locked;
}

export function findPackageProblems(): string[] {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const npmSettings = readFileSync(".npmrc", "utf8");
  return [
    ...judgePackages(lock.packages),
    ...(/^ignore-scripts=true$/m.test(npmSettings)
      ? []
      : [".npmrc: packages could run install scripts. Add ignore-scripts=true."]),
  ];
}

export function judgePackages(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages).flatMap(([path, { license, integrity, link, inBundle }]) => {
    if (path === "" || link) return [];
    const name = nameIn(path);
    const known = licenceOf(name, license) ?? "none";
    const isAllowed =
      separate[name] === known ||
      known.split(/ AND | OR | and /).every((one) => allowed.has(one.replace(/[()]/g, "")));
    return [
      ...(isAllowed
        ? []
        : [
            `${name}: the licence "${known}" may not be combined with AGPL-3.0, or is not on the list of scripts/check-packages.ts.`,
          ]),
      ...(integrity || inBundle
        ? []
        : [`${name}: the lock file has no checksum. Install it again.`]),
    ];
  });
}
