import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { timeBound } from "../../../test/bounds.ts";
import { forkProgram } from "./index.ts";

const lifecycle = join(process.cwd(), "lib/platform/processes/lifecycle.ts");
const endsWithin = timeBound(15_000);

test.each([
  ["before it closes anything", ""],
  ["after it closed everything", "await closeAll();"],
])("a child process that fails %s ends with 1 while its parent lives", async (_when, first) => {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-lifecycle-"));
  const program = join(folder, "failing.mjs");
  const imports = `import { closeAll, superviseProcess } from "${lifecycle}";`;
  writeFileSync(program, `${imports}\nsuperviseProcess();\n${first}\nthrow new Error("no");\n`);
  const child = forkProgram(program, [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  try {
    const [code] = await once(child, "exit", { signal: AbortSignal.timeout(endsWithin) });
    expect(code).toBe(1);
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
});
