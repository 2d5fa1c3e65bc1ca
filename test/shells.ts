/** Completion in real shells: what they offer for a line that someone has begun to type. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { spawn as openTerminal } from "@lydell/node-pty";
import { findOrUnpack } from "../scripts/debian.ts";

/** Shells are downloaded once per machine. */
export const shellsMs = 300_000;
/** A busy machine loads the functions of zsh for seconds. */
const promptMaxMs = 60_000;

interface Place {
  /** Where the program is. */
  bin: string;
  /** What the program prints for this shell. */
  script: string;
  env: NodeJS.ProcessEnv;
}

/** The words that fish offers, each on a line. */
export async function completeInFish({ bin, script, env }: Place, line: string): Promise<string[]> {
  const fish = await findOrUnpack("fish");
  const folder = mkdtempSync(join(tmpdir(), "fuxi-fish-"));
  const file = join(folder, "fuxi.fish");
  writeFileSync(file, script);
  const path = `${bin}:${env["PATH"]}`;
  const asked = `source ${file}; complete -C '${line}'`;
  const { stdout } = await promisify(execFile)(fish.program, ["--no-config", "-c", asked], {
    cwd: folder,
    env: { ...env, ...fish.env, PATH: path },
  });
  rmSync(folder, { recursive: true });
  return stdout.split("\n").filter(Boolean);
}

/** A page for `man` as its reader shows it. Fails where the page is not well formed. */
export async function readManPage(file: string): Promise<string> {
  const { program, env } = await findOrUnpack("mandoc");
  const { stdout } = await promisify(execFile)(program, ["-T", "utf8", "-W", "error", file], {
    env: { ...process.env, ...env },
  });
  // Bold letters are written twice, with a backspace in between.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal acts on
  return stdout.replace(/.\u0008/gu, "");
}

/** What an unpacked zsh is told: its modules and functions are elsewhere than it was built for. */
const movedTo = (tree: string) => `
module_path=(${tree}/usr/lib/*/zsh/*(/))
fpath=(${tree}/usr/share/zsh/functions/**/*(/N))
`;

/** A key shows the line as zsh has it: its terminal gets only what changes. */
const settings = `
PROMPT='ready> '
autoload -Uz compinit
compinit -u -D
source $ZDOTDIR/fuxi.zsh
show-line() { print -r -- "<$BUFFER>" }
zle -N show-line
bindkey '^X' show-line
`;

/** The line after a tab in an interactive zsh. */
export async function completeInZsh({ bin, script, env }: Place, typed: string): Promise<string> {
  const zsh = await findOrUnpack("zsh", "bin/zsh");
  const home = mkdtempSync(join(tmpdir(), "fuxi-zsh-"));
  writeFileSync(join(home, "fuxi.zsh"), script);
  writeFileSync(join(home, ".zshenv"), zsh.folder ? movedTo(zsh.folder) : "");
  writeFileSync(join(home, ".zshrc"), settings);
  const terminal = openTerminal(zsh.program, ["-i"], {
    cols: 100,
    rows: 30,
    cwd: home,
    env: { ...env, ...zsh.env, ZDOTDIR: home, PATH: `${bin}:${env["PATH"]}` },
  });
  let shown = "";
  let isTyped = false;
  const line = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => terminal.kill(), promptMaxMs);
    terminal.onData((text) => {
      shown += text;
      if (!isTyped && shown.includes("ready> ")) {
        isTyped = true;
        terminal.write(`${typed}\t\u0018`);
      }
      if (/<.*>/.test(shown)) terminal.kill();
    });
    terminal.onExit(() => {
      clearTimeout(timer);
      resolve(/<(.*)>/.exec(shown)?.[1] ?? shown);
    });
  });
  rmSync(home, { recursive: true });
  return line.trim();
}
