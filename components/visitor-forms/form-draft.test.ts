import { expect, test } from "vitest";
import { newForm } from "#lib/links/forms/schema";
import { bodyOf, draftOf, newField } from "./form-draft.ts";

const content = newForm.parse({
  name: "Offer",
  title: "Get the offer",
  fields: [
    { type: "phone" },
    { type: "choice", label: "Size", options: ["Small", "Large"], required: false },
    { type: "check", label: "I agree", url: "https://acme.example/terms" },
  ],
});
const dates = { createdAt: "", updatedAt: "" };

test("a form that is opened and saved stays the same", () => {
  const { name, ...rest } = content;
  expect(bodyOf(draftOf({ id: "form_1", name, version: 1, ...rest, ...dates }))).toEqual(rest);
});

test("options are lines; empty ones, and what a type does not have, are left out", () => {
  const field = {
    ...newField("choice", 1),
    label: "Size",
    options: " Small \n\nLarge\n",
    url: "x",
  };
  const { fields } = bodyOf({ ...draftOf(null), fields: [field, newField("check", 2)] });
  expect(fields).toEqual([
    { type: "choice", required: true, label: "Size", options: ["Small", "Large"] },
    { type: "check", required: true, label: "" },
  ]);
});
