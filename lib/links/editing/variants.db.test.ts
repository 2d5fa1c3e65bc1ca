import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { editLink } from "./index.ts";

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("variants");
  await openLinks();
});

const site = "https://example.com";
const variants = (...urls: string[]) => urls.map((url) => ({ url, percentage: 100 / urls.length }));

async function makeOne(body: object) {
  const [link] = await make(scope, [createLinkBody.parse(body)]);
  if (!link) throw new Error("no link");
  return link;
}

async function edit(id: string, body: object) {
  const outcome = await editLink(scope, id, editLinkBody.parse(body));
  if (!outcome?.ok) throw new Error(`not edited: ${outcome?.message}`);
  return outcome.link;
}

test("variants of a new link get the UTM fields of the call, and are otherwise as they were sent", async () => {
  const testVariants = variants(`${site}/a`, `${site}/b?utm_source=own`);
  const plain = await makeOne({ url: `${site}/?utm_source=mail`, testVariants });
  expect(plain.testVariants).toEqual(testVariants);
  const tagged = await makeOne({
    url: `${site}/a`,
    utm_source: "mail",
    utm_medium: "x",
    testVariants,
  });
  expect(tagged.testVariants?.map(({ url }) => url)).toEqual([
    `${site}/a?utm_source=mail&utm_medium=x`,
    `${site}/b?utm_source=own&utm_medium=x`,
  ]);
});

test("variants follow an edit of the url, and variants in a call stay as they are", async () => {
  const { id } = await makeOne({
    url: `${site}/a`,
    testVariants: variants(`${site}/a`, `${site}/b`),
  });
  const moved = await edit(id, { url: `${site}/c` });
  expect(moved.testVariants).toEqual(variants(`${site}/c`, `${site}/b`));
  const same = await edit(id, {
    url: `${site}/d`,
    testVariants: variants(`${site}/1`, `${site}/2`),
  });
  expect(same.testVariants).toEqual(variants(`${site}/1`, `${site}/2`));
  // Its first variant is not the destination: a program chose it.
  const own = await edit(id, { url: `${site}/e` });
  expect(own.testVariants).toEqual(variants(`${site}/1`, `${site}/2`));
  const tagged = await edit(id, { utm_source: "mail" });
  expect(tagged.testVariants?.map(({ url }) => url)).toEqual([
    `${site}/1?utm_source=mail`,
    `${site}/2?utm_source=mail`,
  ]);
  const sent = await edit(id, { testVariants: tagged.testVariants, utm_source: "mail" });
  expect(sent.testVariants).toEqual(tagged.testVariants);
});
