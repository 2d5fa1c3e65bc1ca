import { expect, test } from "vitest";
import {
  eventNameCharsMax,
  invoiceIdCharsMax,
  metadataCharsMax,
  quantityMax,
  trackLeadBody,
  trackSaleBody,
} from "./schema.ts";

const lead = { clickId: "", eventName: "Sign up", customerExternalId: "user-1" };
const sale = { customerExternalId: "user-1", amount: 1 };
const metadataOf = (chars: number) => ({ note: "x".repeat(chars - '{"note":""}'.length) });

test.each([
  ["eventName", (max: number) => "x".repeat(max), eventNameCharsMax],
  ["eventQuantity", (max: number) => max, quantityMax],
  ["metadata", metadataOf, metadataCharsMax],
])("%s of a lead is valid up to its limit", (name, valueAt, max) => {
  expect(trackLeadBody.safeParse({ ...lead, [name]: valueAt(max) }).success).toBe(true);
  expect(trackLeadBody.safeParse({ ...lead, [name]: valueAt(max + 1) }).success).toBe(false);
});

test("an invoice id is valid up to its limit", () => {
  const parse = (chars: number) =>
    trackSaleBody.safeParse({ ...sale, invoiceId: "x".repeat(chars) }).success;
  expect([parse(invoiceIdCharsMax), parse(invoiceIdCharsMax + 1)]).toEqual([true, false]);
});
