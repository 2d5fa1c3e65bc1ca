/** No link redirects to a short link, its own or another one, in any notation of the URL. */
import { beforeAll, expect, test } from "vitest";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { editLink } from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createLinksInBulk } from "./bulk.ts";
import { createLinks, openLinks } from "./index.ts";

openTestStores();

const page = "https://example.com/";
let ada: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  ada = await makeTestScope("ada");
  const eve = await makeTestScope("eve");
  for (const [scope, slug] of [
    [ada, "own.example"],
    [ada, "bücher.example"],
    [eve, "theirs.example"],
    [ada, "claimed.example"],
  ] as const) {
    await createDomain(scope, createDomainBody.parse({ slug }));
  }
  await query(sql`UPDATE domain SET verified_at = now() WHERE slug <> 'claimed.example'`);
});

/** The fields of a body with URLs for visitors. */
const places: [name: string, bodyOf: (url: string) => object][] = [
  ["url", (url) => ({ url })],
  ["expiredUrl", (expiredUrl) => ({ expiredUrl })],
  ["ios", (ios) => ({ ios })],
  ["android", (android) => ({ android })],
  ["geo", (url) => ({ geo: { DE: url } })],
  [
    "testVariants",
    (url) => ({
      testVariants: [
        { url: page, percentage: 50 },
        { url, percentage: 50 },
      ],
    }),
  ],
  ["rules", (url) => ({ rules: [{ url, device: ["mobile"] }] })],
];

const circles = [
  "https://own.example/sale",
  "https://own.example",
  "http://own.example?x",
  "https://OWN.example/sale",
  "https://own.example:8443/sale",
  "https://own.example./sale",
  "https://ada@own.example/sale",
  "https://own%2eexample/sale",
  "https://ｏｗｎ.example/sale",
  "https://bücher.example/",
  "https://xn--bcher-kva.example/",
  "https://theirs.example/sale",
  "http://localhost:3000/sale",
  "http://127.0.0.1:3000/sale",
  "http://127.9.9.9:3000/",
  "http://2130706433:3000/sale",
  "http://0x7f.1:3000/sale",
  "http://0:3000/",
  "http://[::1]:3000/sale",
  "http://[::]:3000/sale",
  "http://[::ffff:127.0.0.1]:3000/sale",
  "http://ada@127.0.0.1:3000/sale",
  "http://ada:secret@[::1]:3000/sale",
  "http://１２７.0.0.1:3000/sale",
  "http://%3127.0.0.1:3000/sale",
  "HTTP://127.0.0.1:3000/sale",
  "http://127.0.0.1.:3000/sale",
  "http://017700000001:3000/sale",
  "http://LOCALHOST.:3000/sale",
];
const externalUrls = [
  "https://own.example.com/sale",
  "https://www.own.example/sale",
  "https://claimed.example/",
  "https://example.com/?to=https://own.example/",
  "https://example.com/own.example",
  "http://127.0.0.1:3001/sale",
  "http://127.0.0.1/sale",
  "http://10.0.0.1:3000/sale",
  "https://127.0.0.1.example.com:3000/",
];

async function codesOf(body: object): Promise<string[]> {
  const full = { url: page, domain: "own.example", ...body };
  const parsed = createLinkBody.safeParse(full);
  if (!parsed.success) return [`no address: ${parsed.error.issues[0]?.message}`];
  const [one] = await createLinks(ada, [parsed.data]);
  const options = { source: "dashboard", prefill: false } as const;
  const [ofMany] = await createLinksInBulk(ada, [full], options);
  const [link] = await make(ada, [{ url: page }]);
  const edited = await editLink(ada, link?.id ?? "", editLinkBody.parse(body));
  return [one, ofMany, edited].map((outcome) =>
    !outcome || !("ok" in outcome) || outcome.ok ? "ok" : outcome.code,
  );
}

test.each(places)(
  "%s cannot lead to a short link, in one create, a bulk create or an edit",
  async (_name, bodyOf) => {
    for (const url of circles) {
      expect(await codesOf(bodyOf(url)), url).toEqual(["url_loops", "url_loops", "url_loops"]);
    }
  },
);

test.each(places)("%s may lead to hosts that only resemble one", async (_name, bodyOf) => {
  for (const url of externalUrls) {
    expect(await codesOf(bodyOf(url)), url).toEqual(["ok", "ok", "ok"]);
  }
});
