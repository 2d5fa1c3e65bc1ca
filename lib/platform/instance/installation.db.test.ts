import { expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { assertCodeKey } from "./index.ts";

openTestStores();

test("the first start claims the database for its code key; another key is refused", async () => {
  await Promise.all([assertCodeKey(), assertCodeKey()]);
  await assertCodeKey();
  await query(sql`UPDATE installation SET code_fingerprint = 'another key''s'`);
  await expect(assertCodeKey()).rejects.toThrow(/FUXI_CODE_KEY .* Restore the key/s);
});
