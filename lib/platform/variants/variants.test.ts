import { expect, test } from "vitest";
import { camelOf, namesIn } from "./schema.ts";

test("the key of a message has the words of the name of its variant", () => {
  expect(camelOf("link.created")).toBe("linkCreated");
  expect(camelOf("recipient.opted_out") satisfies "recipientOptedOut").toBe("recipientOptedOut");
  expect(camelOf("utm_source") satisfies "utmSource").toBe("utmSource");
  expect(camelOf("country")).toBe("country");
});

test("the names of a table are in its order", () => {
  expect(namesIn({ second: 2, first: 1 })).toEqual(["second", "first"]);
});
