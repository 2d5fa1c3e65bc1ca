/** Commands of documents, run as they stand. */
import { execFile } from "node:child_process";

/** The commands in the code blocks of a text, with continued lines joined, and those in its sentences. */
export function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  const inBlocks = blocks.flatMap((block) => {
    const starts = block.split(/^(?=npm |curl |git |export )/m);
    return starts.map((part) => part.trim()).filter((part) => /^(npm|curl) /.test(part));
  });
  const inline = [...text.matchAll(/`(npm (?:start|test|run [^\s`]+)[^`]*)`/g)].map(
    ([, one = ""]) => one,
  );
  return [...inBlocks, ...inline];
}

/** A build on a busy machine takes minutes. */
const commandMaxMs = 1_200_000;

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

export function runAsItStands(command: string, env: Record<string, string>): Promise<Ended> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(FUXI_|VITEST|NODE_ENV)/.test(name),
  );
  const options = {
    env: { ...Object.fromEntries(own), NODE_ENV: "production", ...env },
    timeout: commandMaxMs,
    maxBuffer: 10_000_000,
  } as const;
  return new Promise((resolve) => {
    const child = execFile("bash", ["-euc", command], options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
