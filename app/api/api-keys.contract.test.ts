/** What a key may do about keys, and how an application states its name. */
import { expect, test } from "vitest";
import { call, create, expectError } from "../../test/contract-server.ts";

test.each([
  ["GET", "/api-keys"],
  ["GET", "/api-keys/key_00000000000000000000000000"],
  ["GET", "/api-keys/key_00000000000000000000000000/use"],
] as const)("a key reads no keys, whether they exist or not: %s %s", async (method, path) => {
  expectError(await call(method, path), 403, "forbidden", /keys\.read/);
});

test.each([
  ["POST", "/api-keys", { name: "More" }],
  ["PATCH", "/api-keys/key_00000000000000000000000000", { folderIds: [] }],
  ["POST", "/api-keys/key_00000000000000000000000000/rotate", { overlapSeconds: 0 }],
] as const)("a key makes, changes and rotates no keys: %s %s", async (method, path, body) => {
  expectError(await call(method, path, body), 403, "forbidden", /keys\.write/);
});

test("an application states its name and version in a header, and a malformed one is a 400", async () => {
  const url = "https://example.com/app";
  expect((await create({ url }, { "X-Fuxi-App": "billing/2.4.1" })).status).toBe(200);
  for (const app of ["billing/2.4.1/x", "n".repeat(65), `n/${"1".repeat(33)}`]) {
    expectError(await create({ url }, { "X-Fuxi-App": app }), 400, "bad_request", /X-Fuxi-App/);
  }
});
