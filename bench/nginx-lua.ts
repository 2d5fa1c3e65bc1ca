/**
 * A baseline of the redirect: nginx with Lua, which reads the destination of each visit from Redis, answers 302 and counts
 * nothing. One process, as the redirect.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { raisePriority } from "#lib/platform/processes";
import { redis } from "#lib/platform/redis";
import { peekUnpacked, unpackDebianPackages } from "../scripts/debian.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild } from "../scripts/processes.ts";
import { listens } from "../test/proxies.ts";
import type { VisitedLink } from "./crowd.ts";
import type { Running } from "./stage.ts";

const packages = ["nginx", "libnginx-mod-http-lua", "lua-nginx-redis"];
const keysPrefix = "nginx:/";
const startMaxMs = 10_000;

/** Puts the links into Redis, and starts nginx in a folder of its own. */
export async function startNginxLua(
  dataDir: string,
  redisUrl: string,
  visited: readonly VisitedLink[],
): Promise<Pick<Running, "pid" | "port" | "stop">> {
  await redis().mset(
    visited.flatMap(({ key, pk }) => [
      `${keysPrefix}${key}`,
      `https://example.com/a/destination/of/usual/length?with=a&few=${pk}`,
    ]),
  );
  const { folder, env } =
    peekUnpacked("nginx-lua") ?? (await unpackDebianPackages("nginx-lua", packages, console.log));
  const port = await findFreePort();
  const home = resolve(dataDir, "nginx-lua");
  mkdirSync(home, { recursive: true });
  const file = join(home, "nginx.conf");
  writeFileSync(file, configuration(resolve(folder), home, port, new URL(redisUrl)));
  const child = spawn(
    join(folder, "usr/sbin/nginx"),
    ["-c", file, "-p", home, "-e", join(home, "error.log")],
    { env: { ...process.env, ...env }, detached: true, stdio: "inherit" },
  );
  process.once("exit", () => child.kill("SIGKILL"));
  const until = Date.now() + startMaxMs;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error("nginx did not start");
    await sleep(20);
  }
  await raisePriority(child.pid);
  return { pid: child.pid ?? 0, port, stop: () => endChild(child, "SIGTERM") };
}

function configuration(folder: string, home: string, port: number, redisUrl: URL): string {
  const modules = ["ndk_http_module", "ngx_http_lua_module"];
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
${modules.map((name) => `load_module ${folder}/usr/lib/nginx/modules/${name}.so;`).join("\n")}
pid ${home}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 100000000;
  ${temporary.map((kind) => `${kind}_temp_path ${home}/${kind};`).join("\n  ")}
  lua_package_path "${folder}/usr/share/lua/5.1/?.lua;;";
  server {
    listen 127.0.0.1:${port};
    location / {
      content_by_lua_block {
        local client = require("nginx.redis"):new()
        client:set_timeout(1000)
        local ok, problem = client:connect("127.0.0.1", ${redisUrl.port})
        if not ok then ngx.log(ngx.ERR, problem) return ngx.exit(503) end
        if client:get_reused_times() == 0 then client:auth("${redisUrl.password}") end
        local url = client:get("nginx:" .. ngx.var.uri)
        client:set_keepalive(60000, 256)
        if url == ngx.null or not url then return ngx.exit(404) end
        ngx.header["Cache-Control"] = "private, no-store"
        ngx.header["Referrer-Policy"] = "strict-origin-when-cross-origin"
        return ngx.redirect(url, 302)
      }
    }
  }
}
`;
}
