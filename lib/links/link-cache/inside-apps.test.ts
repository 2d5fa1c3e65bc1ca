import { expect, test } from "vitest";
import { insideApps } from "./schema.ts";

const program = {
  open: "miniProgram",
  appId: "wx0123456789abcdef",
  path: "pages/index/index",
  query: "from=mail",
};

function problemOf(value: object): string | undefined {
  const [issue] = insideApps.safeParse(value).error?.issues ?? [];
  return issue && `${issue.path.join(".")}: ${issue.message}`;
}

test("a value is stored in one form, in the order in which jsonb returns it", () => {
  const stored = insideApps.parse({ ...program, path: " /pages/index/index" });
  expect(JSON.stringify(stored)).toBe(
    '{"open":"miniProgram","path":"pages/index/index","appId":"wx0123456789abcdef","query":"from=mail","canContinue":true}',
  );
  expect(insideApps.parse({ open: "browser" })).toEqual({ open: "browser", canContinue: true });
});

test("a mini program has an app id and a path, and may have a query", () => {
  const { query: _query, ...bare } = program;
  expect(problemOf(bare)).toBeUndefined();
  const needed = "Enter the app id and the path of the mini program.";
  expect(problemOf({ open: "miniProgram", path: "a/b" })).toBe(`appId: ${needed}`);
  expect(problemOf({ ...program, path: undefined })).toBe(`path: ${needed}`);
  expect(problemOf({ open: "browser", appId: program.appId })).toMatch(/^appId: Use this only/);
});

test.each(["wx0123456789ABCDEF", "wx0123456789abcde", "wx0123456789abcdef0", "gh_0123456789ab"])(
  "%s is no app id",
  (appId) => {
    expect(problemOf({ ...program, appId })).toMatch(/^appId: Use the app id/);
  },
);

test.each([
  "pages/index?a=1",
  "pages/index&appid=wx1111111111111111",
  "pages/in dex",
  "pages/<script>",
  "a%2Fb",
  "页面",
  "",
])("the path %j is refused", (path) => {
  expect(problemOf({ ...program, path })).toMatch(/^path: /);
});

test("a path has up to 1,024 characters, and a query up to 512", () => {
  expect(problemOf({ ...program, path: "p".repeat(1_024) })).toBeUndefined();
  expect(problemOf({ ...program, path: "p".repeat(1_025) })).toMatch(/1024 characters/);
  expect(problemOf({ ...program, query: "q".repeat(512) })).toBeUndefined();
  expect(problemOf({ ...program, query: "q".repeat(513) })).toMatch(/512 characters/);
});

test.each(['a="1"', "a=<b>", "a=中", "a= b", "a=\n"])("the query %j is refused", (query) => {
  const refused = problemOf({ ...program, query });
  // Blanks at the end are trimmed.
  expect(refused === undefined).toBe(query.trim() === "a=");
});
