import { expect, test } from "vitest";
import { isOptOutReply } from "./index.ts";

test.each([
  "R",
  "r",
  "Ｒ",
  "T",
  "td",
  "N",
  " stop. ",
  "STOP!",
  "退订",
  "【退订】",
  "拒收请回复R",
  "opt-out",
])("“%s” is an opt-out", (text) => {
  expect(isOptOutReply(text)).toBe(true);
});

test.each(["", "?", "Yes", "Thanks", "When does it stop", "请问几点开门", "RR", "TT", "1"])(
  "“%s” is not",
  (text) => {
    expect(isOptOutReply(text)).toBe(false);
  },
);
