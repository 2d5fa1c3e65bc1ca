import { expect, test } from "vitest";
import { camelOf, mapTable, namesIn, valuesIn } from "./schema.ts";

test("the key of a message has the words of the name of its variant", () => {
  expect(camelOf("link.created")).toBe("linkCreated");
  expect(camelOf("recipient.opted_out") satisfies "recipientOptedOut").toBe("recipientOptedOut");
  expect(camelOf("utm_source") satisfies "utmSource").toBe("utmSource");
  expect(camelOf("country")).toBe("country");
});

test("the names of a table are in its order", () => {
  const table = { second: 2, first: 1 };
  expect(namesIn(table)).toEqual(["second", "first"]);
  expect(valuesIn(table)).toEqual([2, 1]);
  expect(mapTable(table, (value, name) => `${name}${value}`)).toEqual({
    second: "second2",
    first: "first1",
  });
});
