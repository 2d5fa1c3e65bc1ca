/** For database tests: the redirect on a port of its own, with visits and links. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { redis } from "#lib/platform/redis";
import { answerCertificate, openRedirect, visit, visitCached } from "#lib/redirect/visits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { timeBound } from "./bounds.ts";
import { send } from "./http-client.ts";
import { makeTestScope } from "./scope.ts";

export const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

export interface VisitAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Everything received: head and body */
  all: string;
}

interface VisitOptions {
  method?: string;
  headers?: Record<string, string>;
  form?: string;
}

export interface TestVisits {
  scope: () => WorkspaceScope;
  make: (body: object) => Promise<{ key: string; id: string }>;
  ask: (path: string, options?: VisitOptions) => Promise<VisitAnswer>;
}

/** Called after `openTestStores`. `name` is the workspace's. */
export function openTestVisits(name: string): TestVisits {
  let server: Server;
  let scope: WorkspaceScope;

  beforeAll(async () => {
    await openLinks();
    await openRedirect();
    scope = await makeTestScope(name);
    server = createServer((req, res) => {
      if (!visitCached(req, res) && !answerCertificate(req, res)) void visit(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  return {
    scope: () => scope,
    async make(body) {
      const [outcome] = await createLinks(scope, [{ url: "https://example.com/there", ...body }]);
      if (!outcome?.ok) throw new Error(outcome?.message);
      return outcome.link;
    },
    ask: (path, options) => ask(portOf(server), path, options),
  };
}

/**
 * A new link with its entry in Redis, which creates do not wait for, and do not write while this process has lost its
 * subscription for a moment: then another link is made.
 */
export async function makeShared(make: () => Promise<{ key: string }>) {
  return await vi.waitFor(async () => {
    const { key } = await make();
    const entries = () => redis().keys(`l:*:${key}`);
    await expect.poll(entries, { timeout: 1_000 }).toHaveLength(1);
    const [entry = ""] = await entries();
    return { key, entry, line: (await redis().get(entry)) ?? "" };
  }, timeBound(6_000));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function ask(port: number, path: string, options: VisitOptions = {}): Promise<VisitAnswer> {
  const { method = "GET", form } = options;
  const { status, headers, head, text } = await send(`http://127.0.0.1:${port}`, {
    path,
    method,
    headers: { host: "localhost", "user-agent": browser, ...options.headers },
    ...(form === undefined ? {} : { body: form }),
  });
  return { status, headers, body: text, all: `${head}\n${text}` };
}
