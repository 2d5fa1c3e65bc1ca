/** Python with packages of Debian that are unpacked next to the checkout. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Unpacked } from "../scripts/debian.ts";

const own = "usr/bin/python3";

export function debianPython({ folder, env }: Unpacked): {
  program: string;
  env: NodeJS.ProcessEnv;
} {
  return {
    // Debian’s own Python: another one does not look for Debian’s packages.
    program: existsSync(`/${own}`) ? `/${own}` : join(folder, own),
    env: {
      ...process.env,
      ...env,
      PYTHONPATH: join(folder, "usr/lib/python3/dist-packages"),
      PYTHONDONTWRITEBYTECODE: "",
    },
  };
}
