import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeMaterials } from "./sbom.ts";

const { packages }: { packages: Record<string, { dev?: boolean; link?: boolean }> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);
const sbom = describeMaterials();
const listed = sbom.components.map((one) => one["bom-ref"]);

test("the bill of materials has every package of a deployment, and no tool of development", () => {
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(sbom.metadata.component).toMatchObject({ name, version });
  const needed = Object.entries(packages).flatMap(([path, { dev, link }]) =>
    path !== "" && !dev && !link ? [path] : [],
  );
  expect(listed).toEqual(needed);
  expect(listed).toContain("node_modules/next-auth");
  expect(listed).not.toContain("node_modules/vitest");
});

test("every package of it has a version, a checksum, a licence and an address", () => {
  for (const { name, version, hashes, licenses, purl, ...rest } of sbom.components) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/);
    expect(licenses, name).toHaveLength(1);
    // Parts of the file of another package have its checksum.
    if (!hashes) expect(rest["bom-ref"]).toMatch(/node_modules\/.+\/node_modules\//);
    for (const { alg, content } of hashes ?? []) {
      expect(alg).toMatch(/^SHA-(?:1|256|384|512)$/);
      expect(content, name).toMatch(/^(?:[0-9a-f]{2}){20,64}$/);
    }
  }
});

test("what a package needs is in the bill, found as Node finds it", () => {
  const known = new Set(listed);
  const needed = sbom.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(needed.filter((one) => !known.has(one))).toEqual([]);
  const roots = sbom.dependencies.find(({ ref }) => ref === sbom.metadata.component["bom-ref"]);
  expect(roots?.dependsOn).toContain("node_modules/next");
  const jose = sbom.dependencies.find(({ ref }) => ref === "node_modules/next-auth");
  expect(jose?.dependsOn.some((path) => path.endsWith("/jose"))).toBe(true);
});
