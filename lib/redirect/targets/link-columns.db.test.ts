import { expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { type TargetColumns, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { query, sql } from "#lib/platform/postgres";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { loadTargets } from "./links.ts";
import { compileTarget } from "./target.ts";

openTestStores();

const date = "2026-11-27T20:30:00.123Z";
/** Each alone changes what a visitor gets. */
const used: Record<string, unknown> = {
  redirect_status: 308,
  starts_at: date,
  expires_at: date,
  disabled_at: date,
  banned_at: date,
  retired_at: date,
  expired_url: "https://to.example/expired?\u00e9=\u4f0f",
  password_hash: "a hash",
  max_clicks: 2_147_483_647,
  rules: JSON.stringify([{ if: [], url: "https://to.example/rule" }]),
  ios: "https://to.example/ios",
  android: "https://to.example/android",
  geo: JSON.stringify({ DE: "https://to.example/de" }),
  test_variants: JSON.stringify([{ url: "https://to.example/variant", percentage: 50 }]),
  form_id: "a form",
  forward_query: false,
  forward_path: true,
  do_index: true,
  track_conversion: true,
  rewrite: true,
  inside_apps: JSON.stringify({ open: "browser" }),
};
/** Values that only have an effect together. */
const together: Record<string, unknown>[] = [
  { banned_at: date, ban_reason: "phishing" },
  { test_variants: used["test_variants"], test_started_at: date, test_completed_at: date },
  { proxy: true, title: "A title", description: "A text", image: "/i", video: "/v" },
  { rewrite: true, title: "A title" },
];

test("a link without any of the rare columns, and with each of them, is loaded as all of its columns say", async () => {
  const scope = await makeTestScope("columns");
  await openLinks();
  const [outcome] = await createLinks(scope, [{ url: "https://to.example/", key: "columns" }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const [plain] = await readRow();
  if (!plain) throw new Error("The link is missing");
  const entry = targetEntry(plain.domain_pk, "columns");
  const load = async () => (await loadTargets([entry])).get(entry)?.value;
  const withoutAny = compileTarget(targetOfColumns(plain));
  expect(await load()).toEqual(withoutAny);
  for (const columns of [
    ...Object.entries(used).map(([name, value]) => ({ [name]: value })),
    ...together,
  ]) {
    const names = Object.keys(columns);
    const before = plain as unknown as Record<string, unknown>;
    await setColumns(names, columns);
    const [row] = await readRow();
    const loaded = await load();
    expect(loaded, names.join()).toEqual(row && compileTarget(targetOfColumns(row)));
    expect(loaded, names.join()).not.toEqual(withoutAny);
    await setColumns(names, before);
  }
});

function readRow(): Promise<TargetColumns[]> {
  return query<TargetColumns>(sql`SELECT * FROM link WHERE key = 'columns'`);
}

async function setColumns(names: readonly string[], values: Record<string, unknown>) {
  await query({
    text: `UPDATE link SET ${names.map((name, at) => `${name} = $${at + 1}`).join(", ")} WHERE key = 'columns'`,
    values: names.map((name) => values[name]),
  });
}
