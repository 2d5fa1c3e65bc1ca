import { expect, test } from "vitest";
import en from "../../platform/messages/en.json";
import zh from "../../platform/messages/zh.json";
import { messages } from "./problems.ts";

const namesOf = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();

test.each([
  ["en", en.importers.said],
  ["zh", zh.importers.said],
] as const)("every problem of reading another system has a message in %s", (_, said) => {
  expect(Object.keys(said).toSorted()).toEqual(Object.keys(messages).toSorted());
  for (const [code, sentence] of Object.entries(messages)) {
    expect(namesOf(Object(said)[code]), code).toEqual(namesOf(sentence));
  }
});

test("the dashboard’s English message equals that of the API", () => {
  expect(en.importers.said).toEqual(messages);
});
