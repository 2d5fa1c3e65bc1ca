import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { closeSteps, findSteps } from "./index.ts";

openTestStores();
beforeAll(() => openLinks());

test("steps are done by existing objects, in each workspace separately, and disappear once all are", async () => {
  const scope = await makeTestScope("steps");
  const other = await makeTestScope("others");
  expect(await findSteps(scope)).toEqual({ link: false, click: false, share: false });
  await make(scope, [{ url: "https://example.com/" }]);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    SELECT pk, workspace_pk, 1 FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(await findSteps(scope)).toEqual({ link: true, click: true, share: false });
  expect(await findSteps(other)).toEqual({ link: false, click: false, share: false });
  // A key is no member of a team.
  await createApiKey(scope, { name: "Program" });
  expect(await findSteps(scope)).toMatchObject({ share: false });
  await joinTestScope(scope, "teammate", "member");
  expect(await findSteps(scope)).toBeUndefined();
});

test("closing the steps applies to that member only, and viewers see none", async () => {
  const scope = await makeTestScope("closing");
  const viewer = await joinTestScope(scope, "looking", "viewer");
  const member = await joinTestScope(scope, "joined", "member");
  expect(await findSteps(viewer)).toBeUndefined();
  await closeSteps(member);
  expect(await findSteps(member)).toBeUndefined();
  expect(await findSteps(scope)).toMatchObject({ share: true });
});
