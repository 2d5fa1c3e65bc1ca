/** Lists the packages in CycloneDX format. `npm sbom --omit dev` would leave out packages that tools need too. */
import { readFileSync } from "node:fs";
import { licenceOf, nameIn } from "./check-packages.ts";

export const sbomFile = "sbom.cdx.json";

interface LockedPackage {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Lock = Record<string, LockedPackage>;

export function describeMaterials() {
  const { packages }: { packages: Lock } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  const kept = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== "" && !dev && !link,
  );
  const self = { type: "application", "bom-ref": `pkg:npm/${name}@${version}`, name, version };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: self },
    components: kept.map(([path, one]) => componentOf(path, one)),
    dependencies: [
      { ref: self["bom-ref"], dependsOn: needsOf("", packages) },
      ...kept.map(([path]) => ({ ref: path, dependsOn: needsOf(path, packages) })),
    ],
  };
}

function componentOf(path: string, { name, version, license, integrity, optional }: LockedPackage) {
  const own = name ?? nameIn(path);
  const licence = licenceOf(own, license);
  return {
    type: "library",
    "bom-ref": path,
    name: own,
    version,
    scope: optional ? "optional" : "required",
    purl: `pkg:npm/${own.replace("@", "%40")}@${version}`,
    ...(integrity ? { hashes: integrity.split(" ").map(hashOf) } : {}),
    ...(licence ? { licenses: [{ expression: licence }] } : {}),
  };
}

/** Converts `sha512-<base64>` to the format of CycloneDX. */
function hashOf(integrity: string) {
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  const alg = algorithm.toUpperCase().replace("SHA", "SHA-");
  return { alg, content: Buffer.from(digest, "base64").toString("hex") };
}

function needsOf(path: string, packages: Lock): string[] {
  const { dependencies, optionalDependencies } = packages[path] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.flatMap((name) => find(name, path, packages) ?? []);
}

/** Looks inside the package first, then in the folders above. Undefined for an optional package that is not locked. */
function find(name: string, from: string, packages: Lock): string | undefined {
  const path = from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  const found = packages[path];
  if (found) return found.dev ? undefined : path;
  if (from === "") return undefined;
  return find(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), packages);
}
