/** The memory of processes and stores (FUXI_PROFILE). Environment variables take precedence. */
import type { Variables } from "./processes.ts";

interface Profile {
  flags: Readonly<Record<string, string[]>>;
  env: Variables;
  postgres: Record<string, string>;
  redis: { share: number; mbMin: number };
}

/** V8's default young generation would copy much of a request: 8 % more CPU (bench/redirect). */
const answering = ["--max-semi-space-size=32"];
/** Grows the heap by only 30 % per collection, and compiles WebAssembly functions when they are called. */
const sparing = ["--heap-growing-percent=30", "--wasm-lazy-compilation"];
const counting = ["--max-semi-space-size=16", ...sparing];
const rendering = ["--max-semi-space-size=8", ...sparing];
/** Otherwise each thread gets its own memory from glibc. */
const arenas = { MALLOC_ARENA_MAX: "2" };

const normal: Profile = {
  flags: {
    ...{ front: answering, redirect: answering, api: answering },
    ...{ worker: counting, web: rendering },
  },
  env: arenas,
  // For laptops and small servers. Larger instances use DATABASE_URL.
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

/** Invalid values count as normal here; they are reported together with all other settings. */
export function profileOf(env: Variables): Profile {
  return env["FUXI_PROFILE"] === "small" ? small : normal;
}
