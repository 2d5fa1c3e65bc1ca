import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgePackages } from "./check-packages.ts";
import { secretsIn } from "./check-secrets.ts";

const hex = (bytes: number) => randomBytes(bytes).toString("hex");

test.each([
  ["a private key", `-----BEGIN ${"PRIVATE KEY"}-----\n`],
  ["an AWS key", `AKIA${"A1B2".repeat(4)}`],
  ["a GitHub token", `ghp_${"a1B2".repeat(9)}`],
  ["an API key of Fuxi", `fuxi_${"8Sn3l2av".repeat(5)}`],
  ["a password in a URL", `postgres://app:${hex(6)}@store.internal:5432/x`],
  ["a signed token", `eyJ${hex(12)}.eyJ${hex(12)}.${hex(12)}`],
])("%s in a file is found with its line", (what, text) => {
  expect(secretsIn("x.ts", `one\n${text}`)).toEqual([expect.stringMatching(`^x.ts:2: .*${what}`)]);
});

test("keys of tests and URLs of examples are no secrets", () => {
  const texts = [
    "fuxi_chaoschaoschaoschaoschaoschaos",
    "postgres://user:password@host/fuxi",
    "redis://127.0.0.1",
  ];
  for (const text of texts) expect(secretsIn("x.ts", text)).toEqual([]);
});

test.each(["GPL-2.0-only", "none", "MIT AND EPL-2.0", "SSPL-1.0"])(
  "a package with the licence %s is refused",
  (license) => {
    const packages = { "node_modules/x": { license, integrity: "sha512-x" } };
    expect(judgePackages(packages)).toHaveLength(1);
  },
);

test("a package without a checksum of its own or of its bundle is refused", () => {
  expect(judgePackages({ "node_modules/x": { license: "MIT" } })).toHaveLength(1);
  const packages = {
    "": {},
    "node_modules/@a/y/node_modules/z": { license: "MIT", inBundle: true },
    "node_modules/@a/x": { license: "(MIT OR CC0-1.0)", integrity: "sha512-x" },
  };
  expect(judgePackages(packages)).toEqual([]);
});

test.each([
  ["jose", 5],
  ["oauth", 0.1],
  ["preact-render-to-string", 6],
])("next-auth gets no older %s than %s", (name, oldest) => {
  const { packages }: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const { version } = packages[`node_modules/${name}`] ?? { version: "" };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  expect(major + minor / 100).toBeGreaterThanOrEqual(oldest);
});
