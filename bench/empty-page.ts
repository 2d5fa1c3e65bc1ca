/** `next start` of one empty page: the least that a page process of Next.js needs. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../scripts/ports.ts";
import { run } from "../scripts/processes.ts";

const folder = join(".fuxi-bench", "next-empty");
const program = join("node_modules", "next", "dist", "bin", "next");
const lookEveryMs = 10;
/** Enough for a busy machine. */
const buildTimeoutMs = 600_000;

export async function buildEmptyPage(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync("bench/next", folder, { recursive: true });
  rmSync(join(folder, "app"), { recursive: true });
  mkdirSync(join(folder, "app"));
  const layout =
    "export default function Layout({ children }) { return <html lang='en'><body>{children}</body></html>; }\n";
  writeFileSync(join(folder, "app", "layout.jsx"), layout);
  writeFileSync(
    join(folder, "app", "page.jsx"),
    "export default function Page() { return <p>Empty</p>; }\n",
  );
  const built = await run(process.execPath, [program, "build", folder], {
    env: { NODE_ENV: "production" },
    timeoutMs: buildTimeoutMs,
  });
  if (built.code !== 0) throw new Error(built.stdout + built.stderr);
}

/** Resolves when it answers. */
export async function serveEmptyPage(node: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await findFreePort();
  const child = spawn(node, [program, "start", folder, "-p", String(port)], { stdio: "ignore" });
  while (!(await answers(port))) await sleep(lookEveryMs);
  return { child, port };
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );
}
