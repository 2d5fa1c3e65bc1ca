import { expect, test } from "vitest";
import { findMixed } from "./check-prisma.ts";
import { readSources } from "./imports.ts";

const imports = `import { listMemberRows } from "./store.ts";
import { listWorkspaces as listMine } from "#lib/tenancy/workspaces";
`;
const mine = "function findMine() {\n  return listMemberRows(1);\n}";
const changeWith = (call: string) => `${mine}\n\nexport function edit() {\n  return ${call};\n}`;

const planted = {
  itself: changeWith("transaction(async (tx) => {\n    await prisma().user.findMany();\n  })"),
  "by a function of its room": changeWith("transaction<Member[]>(async (tx) => listMemberRows(1))"),
  "by a verb of another room": changeWith(
    "transaction(async (tx) => {\n    await listMine();\n  })",
  ),
  "by a function of its file": changeWith("transaction(() => findMine())"),
  "in a callback": changeWith("change(scope, async (tx, member) => findMine())"),
  "by its connection":
    "async function edit(\n  tx: Connection,\n) {\n  await listMemberRows(1);\n}",
  before: `export async function edit() {
  const rows = await listMemberRows(1);
  // Not listMemberRows(), which would wait here.
  return await transaction(async (tx) => insertMembers(tx, rows));
}`,
};
const fileOf = (how: string) => `lib/tenancy/members/${how.replaceAll(" ", "-")}.ts`;

// Every case in a file of its own, all of them checked at once.
const mixed = findMixed([
  ...readSources("."),
  ...Object.entries(planted).map(([how, text]) => ({
    name: fileOf(how),
    text: `${imports}\n${text}\n`,
  })),
]);
const problemsOf = (how: string) => mixed.filter((line) => line.startsWith(`${fileOf(how)}: `));

test("nothing in a transaction reaches Prisma", () => {
  const files = Object.keys(planted).map(fileOf);
  expect(mixed.filter((line) => !files.some((file) => line.startsWith(file)))).toEqual([]);
});

test.each(Object.keys(planted).filter((how) => how !== "before"))(
  "code of a transaction that reaches Prisma %s is refused",
  (how) => {
    expect(problemsOf(how)).toHaveLength(1);
    expect(problemsOf(how)[0]).toContain("edit, in a transaction: ");
  },
);

test("reads before the transaction may use Prisma", () => {
  expect(problemsOf("before")).toEqual([]);
});
