/** Parsers that misbehave, as those of documents could. */
import { getPriority } from "node:os";
import { AppError } from "#lib/platform/errors";
import { defineParser, type Lane } from "#lib/platform/parsers";

const rules = (lane: Lane, cpuMs = 500) => ({
  lane,
  cpuMsMax: () => cpuMs,
  refusal: () => new AppError("unprocessable_entity", "too complex"),
});

function spinUntil(endsAt: number): void {
  while (Date.now() < endsAt);
}

export const echo = defineParser({
  ...rules("quick"),
  name: "echo",
  parse: (bytes: Buffer) => ({ bytes, pid: process.pid }),
});

export const failing = defineParser({
  ...rules("quick"),
  name: "failing",
  parse: (isKnown: boolean) => {
    if (isKnown)
      throw new AppError("conflict", "known", {
        retryAfterSeconds: 7,
        problem: "row_invalid",
        params: { line: 3 },
      });
    throw new TypeError("unknown");
  },
});

/** As good as endless, but it ends where nothing limits it. */
const endlessCpuMs = 20_000;

export const endless = defineParser({
  ...rules("quick"),
  name: "endless",
  parse: () => {
    const endsAt = process.cpuUsage().user + endlessCpuMs * 1_000;
    while (process.cpuUsage().user < endsAt);
  },
});

/** Takes no CPU time either. */
export const silent = defineParser({
  ...rules("long"),
  name: "silent",
  parse: () => new Promise<void>(() => setInterval(() => {}, 1_000)),
});

/** Never looks up, and may take long. */
export const stubborn = defineParser({
  ...rules("long", 600_000),
  name: "stubborn",
  parse: (ms: number) => spinUntil(Date.now() + ms),
});

const kept: unknown[] = [];

export const hoarding = defineParser({
  ...rules("quick", 60_000),
  name: "hoarding",
  parse: (what: "bytes" | "objects") => {
    for (;;) {
      if (what === "bytes") kept.push(Buffer.alloc(1_048_576, 1));
      else kept.push(Array.from({ length: 1_000 }, () => ({})));
    }
  },
});

export const crashing = defineParser({
  ...rules("quick"),
  name: "crashing",
  parse: (signal: NodeJS.Signals) => {
    process.kill(process.pid, signal);
    spinUntil(Date.now() + 10_000);
  },
});

export const settings = defineParser({
  ...rules("quick"),
  name: "settings",
  parse: (_: null) => ({ names: Object.keys(process.env), niceness: getPriority() }),
});

export const hostileParsers = [
  echo,
  failing,
  endless,
  silent,
  stubborn,
  hoarding,
  crashing,
  settings,
];
