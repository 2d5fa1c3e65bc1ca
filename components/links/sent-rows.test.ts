import { expect, test } from "vitest";
import { linkShape } from "#lib/links/fields/schema";
import { withEmptyFields, withoutEmptyFields } from "./sent-rows.ts";

/** Empty and other values of every kind of field. */
const samples = [null, false, true, 0, 7, "", "text", [], { geo: "DE" }];

test("a link is the same after its way to the browser, whatever its fields have", () => {
  const links = samples.map((value) => ({ ...sampleOf(value), qrCode: value ? "/api/qr" : "" }));
  const sent = sentOf(links);
  expect(Object.keys(sent[0]).length).toBeLessThan(Object.keys(sent[2]).length - 20);
  expect(withEmptyFields({ links: sent, daily: [], creators: new Map() }).links).toEqual(links);
});

test("what follows from other fields is only sent where it does not", () => {
  const tags = [{ id: "a", name: "A", color: "red" }];
  const moments = { createdAt: "2026-11-30", updatedAt: "2026-11-30" };
  const link = { ...sampleOf("x"), tags, tagId: "a", ...moments, qr: null, qrCode: "/api/qr" };
  const changed = { ...link, tagId: "b", projectId: "y", updatedAt: "2026-12-01", qr: { logo: 1 } };
  const sent = sentOf([link, changed]);
  const names = ["tagId", "projectId", "updatedAt", "qrCode"];
  expect(names.filter((name) => name in sent[0])).toEqual([]);
  expect(names.filter((name) => name in sent[1])).toEqual(names);
  const read = withEmptyFields({ links: sent, daily: [], creators: new Map() }).links;
  expect(read).toEqual([{ ...link, qrCode: "" }, changed]);
});

function sampleOf(value: unknown): Record<string, unknown> {
  const fields = Object.keys(linkShape.shape).map((name) => [name, value]);
  return { ...Object.fromEntries(fields), tags: [] };
}

// biome-ignore lint/suspicious/noExplicitAny: fields with any value
function sentOf(links: any): any {
  return JSON.parse(JSON.stringify(withoutEmptyFields(links)));
}
