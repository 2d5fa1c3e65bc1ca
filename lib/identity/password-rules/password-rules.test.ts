import { expect, test } from "vitest";
import { findPasswordFlaw } from "./index.ts";

const words = ["Ada Lovelace", "ada.byron@example.com"];

test.each([
  ["password123", "password_common"],
  ["qwertyuiop", "password_common"],
  ["P@ssw0rd123", "password_common"],
  ["aaaaaaaaaaaa", "password_guessable"],
  ["abcabcabcabc", "password_guessable"],
  ["football2023", "password_guessable"],
  ["ada.byron@example.com", "password_personal"],
  ["lovelace2024", "password_personal"],
  ["fuxifuxifuxi", "password_guessable"],
  ["password".repeat(25), "password_guessable"],
])("the password %j is refused as %s", async (password, flaw) => {
  expect(await findPasswordFlaw(password, words)).toBe(flaw);
});

test.each([
  "correct horse",
  "a good password",
  "x7$kQ!92mfa0",
  "山高水长，后会有期",
  "yyy 8 Kraniche",
])("the password %j is accepted", async (password) => {
  expect(await findPasswordFlaw(password, words)).toBeUndefined();
});
