import { beforeAll, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../test/stores.ts";
import { distribute } from "./distribute.ts";

const databaseUrl = () => process.env["DATABASE_URL"] ?? "";
let isCitus = false;

openTestStores();

beforeAll(async () => {
  const found = await query(sql`SELECT FROM pg_extension WHERE extname = 'citus'`);
  isCitus = found.length > 0;
});

test("without Citus, the command says what to set up; with it, nothing is distributed twice", async () => {
  const distributed = distribute(databaseUrl());
  if (isCitus) expect(await distributed).toEqual([]);
  else await expect(distributed).rejects.toThrow(/CREATE EXTENSION citus.*citus_add_node/);
});
