/** How the sites of destinations are asked and judged. */
import { expect, test } from "vitest";
import { budgets } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  mostAtOnce,
  openTestSites,
  others,
  pages,
  round,
  secureUrlOn,
  seen,
  statesOf,
  urlOn,
  visit,
} from "../../../test/checked-sites.ts";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { hopsMax } from "./verdicts.ts";

openTestStores({ FUXI_FETCH: "loopback" });

let ada: WorkspaceScope;
let made = 0;

openTestSites((scope, nth) => {
  ada = scope;
  made = nth;
});

test("500 destinations on a slow, broken, redirecting, rate-limited and hostile server are judged correctly, one request per host at a time", async () => {
  const wanted = new Map<string, string>();
  const kinds = Object.keys(pages);
  for (let n = 0; wanted.size < 470; n++) {
    const kind = kinds[n % kinds.length] ?? "";
    // Slow pages have hosts of their own, because three of them end the round of a host.
    const host = kind === "slow" ? `slow-${n}` : `h${Math.floor(n / kinds.length) % 20}`;
    wanted.set(urlOn(host, `${kind}/${n}`), pages[kind]?.judged ?? "");
  }
  for (let n = 0; n < 10; n++) {
    wanted.set(`http://gone-${n}.example/`, "dns");
    wanted.set(secureUrlOn(`tls-${n}`, "ok"), "certificate");
    wanted.set(urlOn(`busy-${n}`, "busy"), "refused");
  }
  expect(wanted.size).toBe(500);
  await visit(ada, [...wanted.keys()]);
  await round(0);
  const first = await statesOf(ada);
  const broken = ["server_error", "not_found", "certificate", "dns", "timeout", "unreachable"];
  expect([...first.values()].filter((state) => broken.includes(state))).toEqual([]);
  for (const hours of [1.1, 2.2, 3.3]) await round(hours);
  expect(await statesOf(ada)).toEqual(wanted);
  expect(mostAtOnce()).toBe(1);
  expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(["HEAD", "GET"]));
  const got = seen.filter(({ method }) => method === "GET").map(({ path }) => path.split("/")[1]);
  expect(new Set(got)).toEqual(new Set(["get-only", "get-broken", "endless"]));
  expect(new Set(seen.map(({ agent }) => agent))).toEqual(
    new Set(["Mozilla/5.0 (compatible; FuxiLinkCheck/1.0; +http://localhost:3000/docs/checks)"]),
  );
}, 240_000);

test("sites that redirect to one host get one request at a time", async () => {
  await visit(
    ada,
    [...Array(15)].map((_, n) => urlOn(`r${n}`, "to-shared")),
  );
  await round(0);
  expect(new Set((await statesOf(ada)).values())).toEqual(new Set(["redirects"]));
  expect(seen.filter(({ host }) => host === "shared.localhost")).toHaveLength(15);
  expect(mostAtOnce()).toBe(1);
}, 60_000);

test("short links of this instance are followed without a request, up to the limit of hops", async () => {
  await make(ada, [{ url: urlOn("end", "gone"), key: "sale" }]);
  await visit(ada, [
    urlOn("outside", "to-short"),
    urlOn("most", `hops/${hopsMax}`),
    urlOn("many", `hops/${hopsMax + 1}`),
  ]);
  for (const hours of [0, 1.1]) await round(hours);
  const states = await statesOf(ada);
  expect(states.get(urlOn("outside", "to-short"))).toBe("not_found");
  expect(states.get(urlOn("most", `hops/${hopsMax}`))).toBe("redirects");
  expect(states.get(urlOn("many", `hops/${hopsMax + 1}`))).toBe("unchecked");
  expect(seen.some(({ host }) => host === "localhost")).toBe(false);
});

test("a host gets as many requests a day as its budget allows, of all workspaces together", async () => {
  const eve = await makeTestScope(`eve-${made}`);
  const { max } = budgets.destinationChecksPerHost;
  await redis().set("limit:destinationChecksPerHost:busy.localhost", max - 2, "PX", 60_000);
  await visit(ada, [urlOn("busy", "ok/1"), urlOn("busy", "ok/2")]);
  await visit(eve, [urlOn("busy", "ok/3"), urlOn("busy", "ok/4")]);
  await round(0);
  expect(seen).toHaveLength(2);
  // Both workspaces got a part of it.
  expect([...(await statesOf(ada)).values()]).toContain("works");
  expect([...(await statesOf(eve)).values()]).toContain("works");
});

test("while this instance has no network, nothing is called broken", async () => {
  const down = new Set<string>();
  others["net"] = (req, res) => {
    if (down.size > 0) req.socket.destroy();
    else res.writeHead(200).end();
  };
  const urls = [1, 2, 3].map((n) => urlOn(`net-${n}`, "net"));
  await visit(ada, urls);
  await round(0);
  down.add("all");
  await query(sql`UPDATE destination_check SET next_at = now() WHERE host <> 'net-3.localhost'`);
  for (const hours of [1, 2.5, 4]) await round(hours);
  expect(new Set((await statesOf(ada)).values())).toEqual(new Set(["works"]));
  expect(await query(sql`SELECT FROM destination_check WHERE failing_since IS NOT NULL`)).toEqual(
    [],
  );
});
