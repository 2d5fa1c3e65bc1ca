import { createInterface } from "node:readline/promises";

/** What the program reads and writes: results on stdout, everything else on stderr. */
export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
}

const columnsUsual = 80;

export function columnsOf({ stdout }: Terminal): number {
  return stdout.columns || columnsUsual;
}

const styles = { bold: "1", dim: "2", red: "31", green: "32", cyan: "36" } as const;
export type Style = keyof typeof styles;
export type Paint = (style: Style, text: string) => string;

/** Colors only in a terminal, and only if nobody has turned them off (no-color.org). */
export function painterOf({ stdout, env }: Terminal, color: boolean): Paint {
  const isColored = color && stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return (style, text) => (isColored ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
}

/**
 * Makes text safe for a terminal. Anyone can write titles and destinations: control characters could move the cursor or rename
 * the window, and bidirectional ones could reverse a URL.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, " ");
}

/** Asks for a line. Undefined if the person canceled or the input ended. */
export async function readAnswer(
  { stdin, stderr }: Terminal,
  question: string,
): Promise<string | undefined> {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<undefined>((resolve) => {
    lines.once("close", () => resolve(undefined));
  });
  const answer = await Promise.race([lines.question(question).catch(() => undefined), closed]);
  lines.close();
  return answer?.trim();
}

const secretCharsMax = 1_000;
const keyCodes = { enter: /[\r\n]/, stop: "\u0003", erase: ["\u007f", "\b"] };

/** Asks for a line without showing it. Undefined if the person canceled. */
export function readSecret(terminal: Terminal, question: string): Promise<string | undefined> {
  const { stdin, stderr } = terminal;
  // Before the question is shown, because an immediate paste would be visible otherwise.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding("utf8");
  stdin.resume();
  return new Promise((resolve) => {
    let typed = "";
    const onData = (text: string) => {
      typed = (typed + text).slice(0, secretCharsMax);
      const end = typed.search(keyCodes.enter);
      const isStopped = typed.includes(keyCodes.stop);
      if (end < 0 && !isStopped) return;
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      resolve(isStopped ? undefined : withoutErased(typed.slice(0, end)));
    };
    stdin.on("data", onData);
  });
}

function withoutErased(typed: string): string {
  let kept = "";
  for (const char of typed) kept = keyCodes.erase.includes(char) ? kept.slice(0, -1) : kept + char;
  return kept;
}

/** The lines of a file or of another program’s output, without empty ones. */
export async function readLines({ stdin }: Terminal): Promise<string[]> {
  stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of stdin) text += String(chunk);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
