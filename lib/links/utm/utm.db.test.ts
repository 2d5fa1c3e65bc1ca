import { beforeAll, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  changeUtmTemplate,
  createUtmTemplate,
  deleteUtmTemplate,
  listUtmTemplates,
  utmTemplatesMax,
} from "./index.ts";
import { editUtmTemplate, nameCharsMax, newUtmTemplate, valueCharsMax } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let viewer: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  viewer = await joinTestScope(ada, "vera", "viewer");
});

const parse = (body: object) => newUtmTemplate.parse(body);

test("a template is listed by name, changed in parts, and deleted, each with its audit entry", async () => {
  const created = await createUtmTemplate(
    ada,
    parse({ name: " Newsletter ", utm_source: "mail", utm_term: " " }),
  );
  expect(created).toMatchObject({
    name: "Newsletter",
    utm_source: "mail",
    utm_term: null,
    ref: null,
    userId: ada.userId,
    workspaceId: ada.workspaceId,
    projectId: ada.workspaceId,
  });
  await createUtmTemplate(ada, parse({ name: "Flyer" }));
  expect((await listUtmTemplates(viewer)).map(({ name }) => name)).toEqual(["Flyer", "Newsletter"]);

  const edit = editUtmTemplate.parse({ utm_source: null, utm_medium: "email", ref: "partner" });
  const changed = await changeUtmTemplate(ada, created.id, edit);
  expect(changed).toMatchObject({
    name: "Newsletter",
    utm_source: null,
    utm_medium: "email",
    ref: "partner",
  });
  await deleteUtmTemplate(ada, created.id);
  expect(await listUtmTemplates(ada)).toHaveLength(1);

  const entries = await listAudit(ada, { pageSize: 10 });
  const ofMade = entries.filter(({ subject }) => subject === created.id);
  expect(ofMade.map(({ action }) => action)).toEqual([
    "utm-template.delete",
    "utm-template.edit",
    "utm-template.create",
  ]);
  expect(ofMade[1]?.details).toEqual({
    utm_source: { from: "mail", to: null },
    utm_medium: { from: null, to: "email" },
    ref: { from: null, to: "partner" },
  });
});

test("a template of another workspace is like a missing one, and viewers change none", async () => {
  const { id } = await createUtmTemplate(ada, parse({ name: "Ours" }));
  const missing = `UTM template "${id}" not found in this workspace.`;
  await expect(changeUtmTemplate(bob, id, { name: "Theirs" })).rejects.toThrow(missing);
  await expect(deleteUtmTemplate(bob, id)).rejects.toThrow(missing);
  await expect(createUtmTemplate(viewer, { name: "X" })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(changeUtmTemplate(viewer, id, {})).rejects.toMatchObject({ code: "forbidden" });
  await expect(deleteUtmTemplate(viewer, id)).rejects.toMatchObject({ code: "forbidden" });
  expect((await listUtmTemplates(ada)).map(({ name }) => name)).toContain("Ours");
});

test("a name belongs to one template, also when several request it at once", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => createUtmTemplate(bob, { name: "Race" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const others = await Promise.all(["A", "B"].map((name) => createUtmTemplate(bob, { name })));
  const renamed = await Promise.allSettled(
    others.map(({ id }) => changeUtmTemplate(bob, id, { name: "Renamed" })),
  );
  const refused = renamed.filter((one) => one.status === "rejected");
  expect(refused).toMatchObject([{ reason: { code: "conflict" } }]);
});

test("texts and numbers are limited", async () => {
  const name = "n".repeat(nameCharsMax);
  const utm_source = "v".repeat(valueCharsMax);
  expect(newUtmTemplate.safeParse({ name, utm_source }).success).toBe(true);
  expect(newUtmTemplate.safeParse({ name: `${name}n` }).success).toBe(false);
  expect(newUtmTemplate.safeParse({ name, utm_source: `${utm_source}v` }).success).toBe(false);
  expect(newUtmTemplate.safeParse({ name: "a\0b" }).success).toBe(false);

  const carol = await makeTestScope("carol");
  await query(sql`
    INSERT INTO utm_template (id, workspace_pk, name)
    SELECT 'utm_' || n, ${carol.workspacePk}, 'T' || n
    FROM generate_series(1, ${utmTemplatesMax - 1}) AS n`);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) => createUtmTemplate(carol, { name: `Last ${at}` })),
  );
  const refused = outcomes.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill("forbidden"));
  expect(await listUtmTemplates(carol)).toHaveLength(utmTemplatesMax);
});
