import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countLeadingTo, markLoops } from "./index.ts";

openTestStores();

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

test("links whose destination becomes a domain here are marked and counted", async () => {
  const scope = await makeTestScope("later");
  const host = "later.localhost";
  const links = await make(scope, [
    { url: `https://${host}/sale` },
    { url: "https://example.com/", expiredUrl: `https://${host}/` },
    { url: `https://example.com/?next=//${host}/` },
    { url: `https://${host}.example.com/` },
  ]);
  const marked = async () => (await markLoops(links)).map(({ loops }) => loops ?? false);
  expect(await marked()).toEqual([false, false, false, false]);
  await createDomain(scope, createDomainBody.parse({ slug: host }));
  await expect.poll(marked).toEqual([true, true, false, false]);
  expect(await countLeadingTo(scope, host)).toBe(1);
  expect(await countLeadingTo(scope, "example.com")).toBe(2);
  const other = await makeTestScope("elsewhere");
  expect(await countLeadingTo(other, host)).toBe(0);
});
