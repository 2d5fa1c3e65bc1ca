import { afterEach, expect, test } from "vitest";
import { allowLongTimeouts } from "#lib/basics/bounds";
import { openTestStores } from "../../../test/stores.ts";
import { closePostgres, pool } from "./index.ts";

openTestStores();

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for("fuxi.long-timeouts"));
});

test("pages wait longer for a connection, and their bundle has a copy of the module", async () => {
  const soon = pool().options.connectionTimeoutMillis ?? 0;
  await closePostgres();
  allowLongTimeouts();
  const path = "./index.ts?copy";
  const copy: typeof import("./index.ts") = await import(path);
  expect(copy.pool).not.toBe(pool);
  const late = copy.pool().options.connectionTimeoutMillis ?? 0;
  await copy.closePostgres();
  expect(late).toBeGreaterThan(soon);
});
