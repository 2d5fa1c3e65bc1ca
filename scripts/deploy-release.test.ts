/** The release workflow, and that whatever is built for amd64 can be built for arm64. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { environmentWith } from "#lib/platform/config";

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  permissions: Record<string, string>;
  strategy?: { matrix: { include: { arch: string }[] } };
  steps: Step[];
}

const text = readFileSync(".github/workflows/release.yml", "utf8");
const { jobs, permissions }: { jobs: Record<string, Job>; permissions: object } = parse(text);
const steps = Object.values(jobs).flatMap((job) => job.steps);
const files = ["compose.yaml", "deploy/compose.processes.yaml"];
const folder = mkdtempSync(join(tmpdir(), "fuxi-release-"));

afterAll(() => rmSync(folder, { recursive: true }));

describe("the release workflow", () => {
  test("names actions exactly, and gives each job only the rights that it needs", () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(5);
    expect(actions.filter((one) => !/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(one))).toEqual([]);
    expect(permissions).toEqual({});
    const signing = Object.entries(jobs).filter(([, job]) => "id-token" in job.permissions);
    expect(signing.map(([name]) => name)).toEqual(["publish"]);
  });

  test("builds the targets of the Dockerfile for both architectures", () => {
    const dockerfile = readFileSync("Dockerfile", "utf8");
    const targets = steps.flatMap((step) => step.with?.["target"] ?? []);
    expect(targets).toEqual(["fuxi", "all-in-one"]);
    for (const target of targets) expect(dockerfile).toMatch(new RegExp(` AS ${target}$`, "m"));
    const built = jobs["build"]?.strategy?.matrix.include.map(({ arch }) => arch);
    expect(built).toEqual(["amd64", "arm64"]);
  });

  test("its files of Compose have a digest for each image, and build none", () => {
    const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
    mkdirSync(join(folder, "deploy"));
    for (const file of files) cpSync(file, join(folder, file));
    writeFileSync(join(folder, "docker"), `#!/bin/sh\necho ${digest}\n`);
    chmodSync(join(folder, "docker"), 0o755);
    const step = steps.find(({ name }) => name?.startsWith("Write the digests"));
    const ended = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""],
      {
        cwd: folder,
        encoding: "utf8",
        env: environmentWith({
          PATH: `${folder}:${process.env["PATH"]}`,
          IMAGE: "ghcr.io/someone/fuxi",
          GITHUB_REF_NAME: "v1.2.3",
        }),
      },
    );
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    for (const file of files) {
      const written = parse(readFileSync(join(folder, file), "utf8"), { merge: true });
      for (const service of Object.values<{ image: string; build?: string }>(written.services)) {
        expect(service.image.endsWith(`@${digest}`), service.image).toBe(true);
        expect(service.image).toMatch(/^(ghcr\.io\/someone\/fuxi:1\.2\.3|\w+:\d+\.[\d.]+)@/);
        expect(service.build).toBeUndefined();
      }
    }
  });
});

interface LockedPackage {
  version: string;
  dev?: boolean;
  cpu?: string[];
  os?: string[];
  libc?: string[];
}

test("each package with a build for amd64 has the same version for arm64, and is listed for administrators", () => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const builds = Object.entries(packages).filter(
    ([path, { os, cpu }]) =>
      os?.includes("linux") && cpu?.includes("x64") && !path.includes("musl"),
  );
  expect(builds.length).toBeGreaterThan(8);
  const other = builds.map(([path, { version }]) => [
    path,
    version === packages[path.replace("x64", "arm64")]?.version,
  ]);
  expect(other.filter(([, isSame]) => !isSame)).toEqual([]);
  const guide = readFileSync("docs/operations/install.md", "utf8");
  const names = builds
    .filter(([, { dev }]) => !dev)
    .map(([path]) => path.replace(/^node_modules\//, "").replace(/-?(linux-)?x64.*$/, ""));
  expect(names.filter((name) => !guide.includes(name))).toEqual([]);
});
