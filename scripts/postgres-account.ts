/** The account under which PostgreSQL runs. */
import { existsSync, statSync } from "node:fs";
import { Advice, run } from "./processes.ts";

export interface Account {
  prefix: string[];
  ids?: { uid: number; gid: number };
}

/**
 * PostgreSQL refuses to run as root, so root switches to the owner of the data, initially `postgres`.
 *
 * It keeps one capability, to enter folders of root. initdb uses access(2), which ignores the capability unless the security bit
 * is set.
 */
export async function chooseAccount(folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = existsSync(folder) ? statSync(folder) : undefined;
  const ids = owner !== undefined && owner.uid !== 0 ? owner : await findPostgresAccount();
  const account = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, "--clear-groups"];
  const capability = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  const privileged = [...account, ...capability, "--securebits=+no_setuid_fixup", "--"];
  // In a container, even root may lack the capability. Folders that everyone may enter still work then.
  const { code } = await run("setpriv", [...privileged, "true"]);
  return { prefix: ["setpriv", ...(code === 0 ? privileged : [...account, "--"])], ids };
}

async function findPostgresAccount(): Promise<{ uid: number; gid: number }> {
  if ((await run("id", ["-u", "postgres"])).code !== 0) {
    await mustRun("groupadd", ["--system", "--force", "postgres"]);
    const home = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
    await mustRun("useradd", ["--system", "--gid", "postgres", ...home, "postgres"]);
  }
  const uid = Number((await mustRun("id", ["-u", "postgres"])).trim());
  const gid = Number((await mustRun("id", ["-g", "postgres"])).trim());
  return { uid, gid };
}

export async function mustRun(command: string, args: string[]): Promise<string> {
  const ended = await run(command, args);
  if (ended.code === 0) return ended.stdout;
  throw new Advice(`${command} ${args.join(" ")} failed: ${(ended.stderr || ended.stdout).trim()}`);
}

export function withAccount(account: Account, program: string, args: string[]): [string, string[]] {
  const [command, ...rest] = [...account.prefix, program, ...args];
  return [command ?? program, rest];
}
