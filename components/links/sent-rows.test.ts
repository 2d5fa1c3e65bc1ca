import { expect, test } from "vitest";
import { linkShape } from "#lib/links/fields/schema";
import { withEmptyFields, withoutEmptyFields } from "./sent-rows.ts";

/** Empty and other values of every kind of field. */
const samples = [null, false, true, 0, 7, "", "text", [], { geo: "DE" }];

test("a link is the same after its way to the browser, whatever its fields have", () => {
  const links = samples.map((value) =>
    Object.fromEntries(Object.keys(linkShape.shape).map((name) => [name, value])),
  );
  // biome-ignore lint/suspicious/noExplicitAny: fields with any value
  const sent: any = JSON.parse(JSON.stringify(withoutEmptyFields(links as any)));
  expect(Object.keys(sent[0]).length).toBeLessThan(Object.keys(sent[2]).length - 20);
  expect(withEmptyFields({ links: sent, daily: [], creators: new Map() }).links).toEqual(links);
});
