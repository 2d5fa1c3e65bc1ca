/** The package of the client as programs use it: installed from the instance by npm, compiled as strictly as possible, and run. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKey, apiUrl, origin, runSuffix } from "../../test/contract-server.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "fuxi-sdk-"));
const compiler = resolve("node_modules", "typescript-7", "bin", "tsc");

const program = `
import { dataOf, each, FuxiError, openFuxi, type components } from "fuxi";

const [, , address, apiKey, domain, url] = process.argv;
const fuxi = openFuxi({ address, apiKey, application: "strict/1.0" });

const create = (title: string) =>
  dataOf(
    fuxi.POST("/api/links", {
      params: { header: { "idempotency-key": url + title } },
      body: { url, domain, title },
    }),
  );
const created: Awaited<ReturnType<typeof create>>[] = [];
for (const title of ["one", "two", "three", "three"]) created.push(await create(title));

const titles: (string | null)[] = [];
const query = { search: url, sort: "createdAt", pageSize: 2 } as const;
for await (const link of each((after) => fuxi.GET("/api/links", { params: { query: { ...query, ...after } } }))) {
  titles.push(link.title);
}

async function codeOf(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof FuxiError)) throw error;
    const code: components["schemas"]["Error"]["error"]["code"] | undefined = error.code;
    return [error.status, code, error.fields, error.message !== ""];
  }
}

console.log(JSON.stringify({
  links: new Set(created.map(({ id }) => id)).size,
  titles: titles.sort(),
  missing: await codeOf(dataOf(fuxi.GET("/api/links/{id}", { params: { path: { id: "link_no" } } }))),
  // @ts-expect-error: a number is expected.
  invalid: await codeOf(dataOf(fuxi.GET("/api/links", { params: { query: { pageSize: "many" } } }))),
}));

export const wrong = () => {
  // @ts-expect-error: no such operation.
  void fuxi.GET("/api/nothing");
  // @ts-expect-error: the destination is missing.
  void fuxi.POST("/api/links", { body: { domain } });
  // @ts-expect-error: no such field.
  void created[0]?.titel;
};
`;

/** The example of the guide, as it stands. */
const guide = readFileSync("docs/guides/clients.en.md", "utf8");
const [, example = ""] = /```ts\n(.+?)```/s.exec(guide) ?? [];
const globals = `
declare const process: { argv: [string, string, string, string, string, string]; env: { FUXI_URL: string; FUXI_API_KEY: string } };
`;

const settings = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ module: "nodenext", target: "es2022", lib: ["es2023", "dom"], types: [] },
    skipLibCheck: false,
  },
  files: ["globals.d.ts", "program.ts", "example.ts"],
};

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const sources = { "globals.d.ts": globals, "program.ts": program, "example.ts": example };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, `${apiUrl}/sdk.tgz`], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("npm installs it by its URL, with no other package", () => {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  expect(read("package.json").dependencies).toEqual({ fuxi: `${apiUrl}/sdk.tgz` });
  const { packages } = read("package-lock.json");
  expect(Object.keys(packages)).toEqual(["", "node_modules/fuxi"]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(packages["node_modules/fuxi"]).toMatchObject({ version, license: "MIT" });
});

test("a program compiles with its types, and creates, lists and is refused", async () => {
  await run(process.execPath, [compiler], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout);
  });
  const url = `https://shop.example.com/sdk/${runSuffix}`;
  const given = ["program.js", origin.origin, apiKey, origin.hostname, url];
  const { stdout } = await run(process.execPath, given, { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    links: 3,
    titles: ["one", "three", "two"],
    missing: [404, "not_found", null, true],
    invalid: [422, "unprocessable_entity", { pageSize: expect.any(String) }, true],
  });
});

test("the example of the guide runs as it stands", async () => {
  const env = { ...process.env, FUXI_URL: origin.origin, FUXI_API_KEY: apiKey };
  const { stdout } = await run(process.execPath, ["example.js"], { cwd: folder, env });
  expect(stdout).toMatch(/^https?:\S+ \d+$/m);
});
