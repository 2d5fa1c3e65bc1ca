import { expect, test } from "vitest";
import { findWideDoors } from "./check-doors.ts";
import { readSources } from "./imports.ts";

const names = Array.from({ length: 13 }, (_, at) => `export const name${at} = ${at};`).join("\n");
const door = (more: string) => [
  {
    name: "lib/links/planted/index.ts",
    text: `${names}\nexport { a as b } from "./a.ts";\n${more}`,
  },
];

test("no door of a room exports more names than one noun has, and every exception is used", () => {
  expect(findWideDoors(readSources("."))).toEqual([]);
});

test("fifteen names are allowed, values, types and re-exports counted alike", () => {
  expect(findWideDoors(door("export interface Name {}\n"), {})).toEqual([]);
  const [message] = findWideDoors(
    door("export async function find() {}\nexport type A = 1;\n"),
    {},
  );
  expect(message).toContain("the door of links/planted exports 16 names, more than 15: ");
  expect(
    findWideDoors(door("export type {\n  A,\n  type B,\n} from './b.ts';\n"), {}),
  ).toHaveLength(1);
});

test("an exception is for a door that needs it", () => {
  const wide = door("export class A {}\nexport class B {}\n");
  expect(findWideDoors(wide, { "links/planted": "why" })).toEqual([]);
  expect(findWideDoors(door(""), { "links/planted": "why" })).toEqual([
    'no door needs the exception "links/planted"',
  ]);
});

test("other files of a room export any number of names", () => {
  const [wide] = door("export class A {}\nexport class B {}\n");
  const store = { name: "lib/links/planted/store.ts", text: wide?.text ?? "" };
  expect(findWideDoors([store], {})).toEqual([]);
});
