import { expect, test } from "vitest";
import { readSources } from "./check-borders.ts";
import { findMixed } from "./check-prisma.ts";

const imports = `import { findPk } from "./store.ts";
import { listWorkspaces as listMine } from "#lib/tenancy/workspaces";
`;
const mine = "function findMine() {\n  return findPk(1, '');\n}";
const changeWith = (call: string) => `${mine}\n\nexport function change() {\n  return ${call};\n}`;

const planted = {
  itself: changeWith("transaction(async (tx) => {\n    await prisma().tag.findMany();\n  })"),
  "by a function of its room": changeWith('transaction<Tag>(async (tx) => findPk(1, "tag_"))'),
  "by a verb of another room": changeWith(
    "transaction(async (tx) => {\n    await listMine();\n  })",
  ),
  "by a function of its file": changeWith("transaction(() => findMine())"),
  "in a callback": changeWith("changeTag(scope, async (tx, tag) => findMine())"),
  "by its connection":
    "async function change(\n  tx: Connection,\n  id: string,\n) {\n  await findPk(1, id);\n}",
  before: `export async function change() {
  const pk = await findPk(1, "tag_");
  // Not findPk(), which would wait here.
  return await transaction(async (tx) => lockRow(tx, pk));
}`,
};
const fileOf = (how: string) => `lib/links/tags/${how.replaceAll(" ", "-")}.ts`;

// Every case in a file of its own, and all of them read at once.
const mixed = findMixed([
  ...readSources("."),
  ...Object.entries(planted).map(([how, text]) => ({
    name: fileOf(how),
    text: `${imports}\n${text}\n`,
  })),
]);
const said = (how: string) => mixed.filter((line) => line.startsWith(`${fileOf(how)}: `));

test("nothing in a transaction reaches Prisma", () => {
  const files = Object.keys(planted).map(fileOf);
  expect(mixed.filter((line) => !files.some((file) => line.startsWith(file)))).toEqual([]);
});

test.each(Object.keys(planted).filter((how) => how !== "before"))(
  "code of a transaction that reaches Prisma %s is refused",
  (how) => {
    expect(said(how)).toHaveLength(1);
    expect(said(how)[0]).toContain("change, in a transaction: ");
  },
);

test("what is read before the transaction may come through Prisma", () => {
  expect(said("before")).toEqual([]);
});
