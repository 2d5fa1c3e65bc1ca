/** Query parameters of visits, forwarded by a link or by its workspace. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { openRedirect, visit, visitCached } from "#lib/redirect/visits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { send } from "../../../test/http-client.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { forwarding } from "./forwarding.ts";

openTestStores();

const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const url = "https://example.com/shop?a=1&b=2#top";
let server: Server;
let scope: WorkspaceScope;
let other: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await openRedirect();
  scope = await makeTestScope("forwarding");
  other = await makeTestScope("not-forwarding");
  server = createServer((req, res) => {
    if (!visitCached(req, res)) void visit(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function make(body: object = {}, owner = scope) {
  const [outcome] = await createLinks(owner, [{ url, ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

async function locationOf(path: string): Promise<string | undefined> {
  const { port } = server.address() as AddressInfo;
  const answer = await send(`http://127.0.0.1:${port}/`, {
    path,
    headers: { host: "localhost", "user-agent": browser },
  });
  return answer.headers.location;
}

/** How long a busy machine may take. */
const busyMs = 60_000;
const changed = "https://example.com/shop?a=1&b=3&utm_source=x#top";
const visited = "b=3&utm_source=x&qr=1";

test("a workspace forwards for links that follow it; a link that says otherwise does what it says", async () => {
  const [follows, on, off] = [
    await make(),
    await make({ forwardQuery: true }),
    await make({ forwardQuery: false }),
  ];
  expect([follows.forwardQuery, on.forwardQuery, off.forwardQuery]).toEqual([
    undefined,
    true,
    false,
  ]);
  const foreign = await make({}, other);
  const sent = async () => {
    const found = [];
    for (const { key } of [follows, on, off, foreign]) {
      // The second visit is answered from memory.
      const [first, second] = [
        await locationOf(`/${key}?${visited}`),
        await locationOf(`/${key}?${visited}`),
      ];
      expect(second).toBe(first);
      expect(await locationOf(`/${key}`)).toBe(url);
      found.push(first);
    }
    return found;
  };
  expect(await sent()).toEqual([url, changed, url, url]);
  await updateWorkspace(scope, { forwardQuery: true });
  expect(await sent()).toEqual([changed, changed, url, url]);
  await editLink(scope, off.id, { forwardQuery: null });
  await editLink(scope, on.id, { forwardQuery: false });
  expect(await sent()).toEqual([changed, url, changed, url]);
  await updateWorkspace(scope, { forwardQuery: false });
  expect(await sent()).toEqual([url, url, url, url]);
});

test("a visit without a query does not look up its workspace, and one with a query does so once", async () => {
  const { key } = await make();
  const lookups = () => {
    const { hits, loads } = forwarding.counters;
    return { hits, loads };
  };
  // A change that another process reports late empties the memory again.
  await vi.waitFor(async () => {
    for (const forwardQuery of [false, true]) await updateWorkspace(scope, { forwardQuery });
    const before = lookups();
    for (let visit = 0; visit < 3; visit++) await locationOf(`/${key}`);
    expect(lookups()).toEqual(before);
    for (let visit = 0; visit < 3; visit++) await locationOf(`/${key}?c=1`);
    expect(lookups().loads).toBe(before.loads + 1);
  }, busyMs);
});

test("a link of a workspace that forwards keeps its status, its limit and its password page", async () => {
  await updateWorkspace(scope, { forwardQuery: true });
  const limited = await make({ maxClicks: 1, redirectStatus: 307 });
  expect(await locationOf(`/${limited.key}?b=3&utm_source=x`)).toBe(changed);
  expect(await locationOf(`/${limited.key}?b=3`)).toBeUndefined();
  const closed = await make({ password: "open sesame" });
  expect(await locationOf(`/${closed.key}?b=3`)).toBeUndefined();
});
