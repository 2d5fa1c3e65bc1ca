import { expect, test } from "vitest";
import { findTasks, type ReleaseState } from "./release-tasks.ts";

const complete: ReleaseState = {
  version: "1.2.0",
  lockedVersion: "1.2.0",
  changeLog: "# Changelog\n\n## Unreleased\n\n## 1.2.0 – 2027-01-31\n\n- Something\n",
  images: ["1.2.0", "1.2.0"],
  changedFiles: [],
  tagged: "a1",
  taggedVersion: "1.2.0",
  laterFiles: ["prisma/released.json"],
  released: { version: "1.2.0", commit: "a1", migration: "20270101000000_last" },
  lastMigration: "20270101000000_last",
};

test("nothing is left when version, change log, files, tag and tree agree", () => {
  expect(findTasks(complete)).toEqual([]);
});

test.each<[Partial<ReleaseState>, string]>([
  [{ lockedVersion: "1.1.0" }, "package-lock.json"],
  [{ images: ["1.2.0", "1.1.0"] }, "deploy/kubernetes"],
  [{ changeLog: "## 1.1.0 – 2026-12-01\n" }, "no heading"],
  [{ changeLog: "## Unreleased\n\n- New\n\n## 1.2.0 – 2027-01-31\n" }, "under “Unreleased”"],
  [{ changeLog: "## 1x2x0 – 2027-01-31\n" }, "no heading"],
  [{ changedFiles: [" M README.md"] }, "README.md"],
  [{ tagged: "" }, "git tag -a v1.2.0"],
  [{ taggedVersion: "1.1.0" }, "with version 1.1.0"],
  [{ released: { ...complete.released, commit: "b2" } }, "commit a1"],
  [{ lastMigration: "20270201000000_later" }, "20270201000000_later"],
  [{ laterFiles: ["lib/a.ts"] }, "after v1.2.0"],
])("%o is left to do", (change, text) => {
  expect(findTasks({ ...complete, ...change }).join("\n")).toContain(text);
});
