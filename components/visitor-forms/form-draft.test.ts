import { expect, test } from "vitest";
import { isPersonal, newForm } from "#lib/audience/forms/schema";
import en from "../../lib/platform/messages/en.json" with { type: "json" };
import zh from "../../lib/platform/messages/zh.json" with { type: "json" };
import { bodyOf, draftOf, newField, presetNames, presetOf } from "./form-draft.ts";

const content = newForm.parse({
  name: "Offer",
  confirmPhone: true,
  codeCountries: ["GB", "CN"],
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

test("a code by SMS is kept only with a required phone", () => {
  const given = { confirmPhone: true, gatewayId: "gw_1", codeCountries: "gb, CN，gb " };
  const draft = { ...draftOf(null), ...given };
  expect(bodyOf(draft)).toMatchObject({ ...given, codeCountries: ["GB", "CN"] });
  const optional = [{ ...newField("phone", 0), required: false }];
  const off = { confirmPhone: false, gatewayId: null, codeCountries: [] };
  expect(bodyOf({ ...draft, fields: optional })).toMatchObject(off);
  expect(bodyOf({ ...draft, fields: [newField("email", 0)] })).toMatchObject(off);
});

test.each([
  ["English", en.forms.presets],
  ["Chinese", zh.forms.presets],
])(
  "presets in %s are valid forms, and confirmations of age and terms store nothing",
  (_, texts) => {
    for (const name of presetNames) {
      const preset = presetOf(name, { label: "", ...texts[name] });
      const draft = { ...draftOf(null), confirmPhone: true, gatewayId: "gw_1", ...preset };
      const form = newForm.parse({ name, ...bodyOf(draft) });
      expect(form).toMatchObject({
        confirmPhone: false,
        gatewayId: null,
        title: texts[name].title,
      });
      expect(form.button).not.toBe("");
      expect(isPersonal(form)).toBe(name === "phone" || name === "email");
    }
  },
);
