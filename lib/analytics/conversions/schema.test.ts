import { expect, test } from "vitest";
import {
  eventNameCharsMax,
  externalIdOf,
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

test("earlier names of the customer's id are accepted, in either case of the currency, but not two ids", () => {
  for (const name of ["customerExternalId", "externalId", "customerId"]) {
    const ids = { [name]: "user-1" };
    expect(externalIdOf(trackLeadBody.parse({ clickId: "", eventName: "Sign up", ...ids }))).toBe(
      "user-1",
    );
    const parsed = trackSaleBody.parse({ amount: 1, currency: "eur", ...ids });
    expect([externalIdOf(parsed), parsed.currency]).toEqual(["user-1", "EUR"]);
  }
  expect(trackSaleBody.safeParse({ ...sale, customerId: "user-1" }).success).toBe(true);
  const refusalOf = (body: object) => trackSaleBody.safeParse(body).error?.issues;
  expect(refusalOf({ ...sale, customerId: "user-2" })).toMatchObject([
    { path: ["customerExternalId"], message: expect.stringContaining("only one") },
  ]);
  expect(refusalOf({ amount: 1 })).toMatchObject([
    { path: ["customerExternalId"], message: expect.stringContaining("Send the id") },
  ]);
});
