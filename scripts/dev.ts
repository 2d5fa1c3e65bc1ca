/** `npm run dev`: Next reloads pages; front and worker restart when one of their files changes. */
import { existsSync, watch } from "node:fs";
import { bundleCli } from "./cli.ts";
import { uncompiledProcess } from "./compile.ts";
import { bundleExtension } from "./extension.ts";
import { launch } from "./launch.ts";
import { bundleSdk } from "./sdk.ts";
import type { Supervisor } from "./supervisor.ts";

const watched = ["lib", "app/api", "workers", "server.ts"];
const settleMs = 150;

await launch({
  nodeEnv: "development",
  argsOf: uncompiledProcess,
  prepare: async () => {
    await bundleCli();
    await bundleSdk();
    await bundleExtension();
  },
  watch: restartOnChange,
});

function restartOnChange(supervisor: Supervisor): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = watched
    .filter((path) => existsSync(path))
    .map((path) =>
      watch(path, { recursive: true }, (_event, file) => {
        if (file !== null && /\.test\.|generated/.test(file)) return;
        clearTimeout(timer);
        timer = setTimeout(() => void restart(supervisor), settleMs);
      }),
    );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

async function restart(supervisor: Supervisor): Promise<void> {
  await Promise.all([supervisor.restart("front"), supervisor.restart("worker")]);
}
