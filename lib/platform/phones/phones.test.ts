import { expect, test } from "vitest";
import { maskPhone, parsePhone } from "./index.ts";

test("a phone is read as E.164 with its country, by its own code or that of the default country", () => {
  expect(parsePhone("138 0013 8000", "CN")).toEqual({ number: "+8613800138000", country: "CN" });
  expect(parsePhone("+86 138-0013-8000", "US")).toMatchObject({ number: "+8613800138000" });
  expect(parsePhone("(202) 555-0123", "US")).toEqual({ number: "+12025550123", country: "US" });
  expect(parsePhone("+1 416 555 0123", "US")).toMatchObject({ country: "CA" });
  expect(parsePhone("020 7946 0018", "GB")).toMatchObject({ number: "+442079460018" });
});

test.each([
  ["no country", "13800138000", ""],
  ["too short", "1380013", "CN"],
  ["too long", "138001380001", "CN"],
  ["other text", "call 13800138000 now", "CN"],
  ["an extension", "+1 202 555 0123 ext. 5", "US"],
  ["nothing", "", "CN"],
  ["an unknown default country", "13800138000", "XX"],
  ["more than 40 characters", `+86138${" ".repeat(40)}00138000`, "CN"],
])("%s is no phone", (_, text, country) => {
  expect(parsePhone(text, country)).toBeUndefined();
});

test.each([
  ["+8613800131234", "+86 **** 34"],
  ["+12025550123", "+1 **** 23"],
  ["+4722225555", "+47 **** 55"],
  ["+2908123", "+290 **** 23"],
])(
  "the masked phone %s shows its country code and its last two digits, and nothing else",
  (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  },
);

test("a mask of what is no phone shows no digit", () => {
  expect(maskPhone("13800131234")).toBe("****");
});
