import { expect, test } from "vitest";
import { assertCodeKey } from "#lib/installation";
import { query, sql } from "#lib/postgres";
import { openTestStores } from "../../scripts/test-stores.ts";

openTestStores();

test("the first start claims the database for its code key; another key is refused", async () => {
  await Promise.all([assertCodeKey(), assertCodeKey()]);
  await assertCodeKey();
  await query(sql`UPDATE installation SET code_fingerprint = 'another key''s'`);
  await expect(assertCodeKey()).rejects.toThrow(/FUXI_CODE_KEY .* Restore the key/s);
});
