import { expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { seedDemo } from "./index.ts";

openTestStores({ FUXI_DESTINATIONS_ALLOW: "example.com" });

test("an instance whose lists refuse the shop of the demo has no demo, and starts", async () => {
  expect(await seedDemo()).toBe(false);
  expect(await query(sql`SELECT FROM workspace`)).toEqual([]);
});
