import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findFreePort, isPortFree } from "./ports.ts";

test.runIf(process.platform === "linux")(
  "a free port is none that an outgoing connection may take",
  async () => {
    const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    const port = await findFreePort();
    expect(await isPortFree(port)).toBe(true);
    expect(port).toBeLessThan(Number.parseInt(range, 10));
  },
);
