/**
 * How much memory the processes and stores of `npm start` may use: FUXI_PROFILE. Settings of the environment win.
 */
import type { Variables } from "./processes.ts";

interface Profile {
  /** Node flags by the name of the compiled file. */
  flags: Readonly<Record<string, string[]>>;
  /** Settings that the environment does not have. */
  env: Variables;
  postgres: Record<string, string>;
  /** Of the machine’s memory, for Redis; at least as many MB. */
  redis: { share: number; mbMin: number };
}

/**
 * A visitor's request lives for a millisecond, until its click is stored; with V8's default young generation much of it
 * would be copied to the old one: 8 % less CPU per redirect (bench/redirect).
 */
const answering = ["--max-semi-space-size=32"];
/**
 * The heap grows by a third of what is alive before it is collected, instead of several times as much, and WebAssembly is
 * compiled as far as it is called.
 */
const sparing = ["--heap-growing-percent=30", "--wasm-lazy-compilation"];
/** A batch of clicks lives until it is written. */
const counting = ["--max-semi-space-size=16", ...sparing];
const rendering = ["--max-semi-space-size=8", ...sparing];
/** Each thread of glibc would otherwise keep memory for itself. */
const arenas = { MALLOC_ARENA_MAX: "2" };

const normal: Profile = {
  flags: {
    ...{ front: answering, redirect: answering, api: answering },
    ...{ worker: counting, web: rendering },
  },
  env: arenas,
  // Fits a laptop and a small server; larger instances use DATABASE_URL.
  postgres: {
    max_connections: "200",
    shared_buffers: "256MB",
    effective_cache_size: "1GB",
    maintenance_work_mem: "128MB",
    work_mem: "16MB",
    max_wal_size: "4GB",
  },
  redis: { share: 1 / 4, mbMin: 256 },
};

const small: Profile = {
  flags: {
    front: [...rendering, "--max-old-space-size=160"],
    redirect: [...rendering, "--max-old-space-size=160"],
    api: [...rendering, "--max-old-space-size=160"],
    worker: [...rendering, "--max-old-space-size=192"],
    web: [...rendering, "--max-old-space-size=256"],
  },
  env: { ...arenas, FUXI_LINKS_IN_MEMORY: "30000", DATABASE_POOL_MAX: "5" },
  postgres: {
    max_connections: "60",
    shared_buffers: "48MB",
    effective_cache_size: "256MB",
    maintenance_work_mem: "32MB",
    work_mem: "4MB",
    max_wal_size: "1GB",
    autovacuum_max_workers: "1",
  },
  redis: { share: 1 / 12, mbMin: 96 },
};

/** Other values are reported with all other settings. */
export function profileOf(env: Variables): Profile {
  return env["FUXI_PROFILE"] === "small" ? small : normal;
}
