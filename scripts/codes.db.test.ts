import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { codeOfPk, pkOfCode } from "#lib/platform/codes";
import { assertCodeKey } from "#lib/platform/instance";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../test/links.ts";
import { makeTestScope } from "../test/scope.ts";
import { openTestStores } from "../test/stores.ts";
import { run } from "./processes.ts";

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await assertCodeKey();
  scope = await makeTestScope("operator");
});

function inspect(code: string, env: Record<string, string> = {}) {
  return run(process.execPath, ["--import", "tsx", "scripts/codes.ts", "inspect", code], {
    env: { ...process.env, ...env },
  });
}

const url = "https://example.com/inspected";

test("a code shows its pk and the link that it belongs to", async () => {
  const [link] = await make(scope, [{ url }]);
  const key = link?.key ?? "";
  const { code, stdout } = await inspect(key);
  expect(code).toBe(0);
  for (const text of [
    `pk         ${pkOfCode(key)}\n`,
    "6 characters",
    `localhost/${key}`,
    url,
    "operator-space",
    "state      active\n",
  ]) {
    expect(stdout).toContain(text);
  }
});

test("an unassigned code, one of a reserved path, and one that a chosen name spells are distinguished", async () => {
  const free = codeOfPk(40_000_000_000);
  expect((await inspect(free)).stdout).toContain("link       none\n");
  expect((await inspect("signin")).stdout).toContain("never: it is a reserved path");
  expect((await inspect("xSh1tx")).stdout).toContain("never: it contains a blocked word");
  const [alias] = await make(scope, [{ url, key: "Abcdef" }]);
  const { stdout } = await inspect(alias?.key ?? "");
  expect(stdout).toContain("the pk is reserved");
  expect(stdout).toContain("localhost/Abcdef");
});

test("a renamed link reports that its code leads nowhere", async () => {
  const [link] = await make(scope, [{ url }]);
  await editLink(scope, link?.id ?? "", { key: "renamed-link" });
  const { stdout } = await inspect(link?.key ?? "");
  expect(stdout).toContain("localhost/renamed-link");
  expect(stdout).toContain("this one no longer works");
});

test.each(["abc", "abcde!", "abcdefgh", ""])(
  "text that is not a code ends with 1 and a reason: %j",
  async (text) => {
    const { code, stderr } = await inspect(text);
    expect(code).toBe(1);
    expect(stderr).toMatch(/not a generated slug|Name a slug/);
  },
);

test("under another key no code is decoded", async () => {
  const { code, stderr } = await inspect("Abcdef", { FUXI_CODE_KEY: "1".repeat(64) });
  expect(code).toBe(1);
  expect(stderr).toContain("does not belong to this database");
});
