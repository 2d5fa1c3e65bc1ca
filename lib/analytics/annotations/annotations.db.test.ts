import { expect, test } from "vitest";
import { createShare, openShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createAnnotation, deleteAnnotation, editAnnotation, listAnnotations } from "./index.ts";
import { annotationBody, annotationCharsMax, annotationsMax } from "./schema.ts";

openTestStores();

let created = 0;

function newScope(): Promise<WorkspaceScope> {
  created += 1;
  return makeTestScope(`noting${created}`);
}

const body = (more: object = {}) =>
  annotationBody.parse({
    at: "2026-06-01T09:30",
    timezone: "Asia/Tokyo",
    text: "Newsletter sent",
    ...more,
  });
const textsOf = async (scope: WorkspaceScope) =>
  (await listAnnotations(scope)).map(({ text }) => text);

test("an annotation is at its moment in the zone, is edited and deleted, and each step is in the audit log", async () => {
  const owner = await newScope();
  const id = await createAnnotation(owner, body());
  expect(await listAnnotations(owner)).toEqual([
    { id, at: "2026-06-01T00:30:00.000Z", text: "Newsletter sent" },
  ]);
  await editAnnotation(owner, id, body({ text: "Second newsletter", timezone: "UTC" }));
  expect(await listAnnotations(owner)).toEqual([
    { id, at: "2026-06-01T09:30:00.000Z", text: "Second newsletter" },
  ]);
  await deleteAnnotation(owner, id);
  expect(await listAnnotations(owner)).toEqual([]);
  const entries = await listAudit(owner, auditQuery.parse({ subject: id }));
  expect(entries.map(({ action }) => action)).toEqual([
    "annotation.delete",
    "annotation.edit",
    "annotation.create",
  ]);
  expect(entries[1]?.details).toMatchObject({
    text: { from: "Newsletter sent", to: "Second newsletter" },
  });
});

test("an annotation of another workspace is neither listed nor changed, like a missing one", async () => {
  const [owner, stranger] = [await newScope(), await newScope()];
  const id = await createAnnotation(owner, body());
  expect(await listAnnotations(stranger)).toEqual([]);
  for (const one of [id, "note_' OR true", "note_00000000000000000000000000"]) {
    const missing = { code: "not_found" };
    await expect(editAnnotation(stranger, one, body({ text: "x" }))).rejects.toMatchObject(missing);
    await expect(deleteAnnotation(stranger, one)).rejects.toMatchObject(missing);
  }
  expect(await textsOf(owner)).toEqual(["Newsletter sent"]);
});

test("a viewer reads annotations and writes none, a member writes them", async () => {
  const owner = await newScope();
  const viewer = await joinTestScope(owner, `noting-viewer${created}`, "viewer");
  const member = await joinTestScope(owner, `noting-member${created}`, "member");
  const id = await createAnnotation(member, body());
  expect(await textsOf(viewer)).toEqual(["Newsletter sent"]);
  const forbidden = { code: "forbidden" };
  await expect(createAnnotation(viewer, body())).rejects.toMatchObject(forbidden);
  await expect(editAnnotation(viewer, id, body())).rejects.toMatchObject(forbidden);
  await expect(deleteAnnotation(viewer, id)).rejects.toMatchObject(forbidden);
});

test(`a workspace has ${annotationsMax} annotations, and not one more, also of eight at once`, async () => {
  const owner = await newScope();
  for (let at = 1; at < annotationsMax; at++)
    await createAnnotation(owner, body({ text: `${at}` }));
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => createAnnotation(owner, body({ text: `last ${at}` }))),
  );
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await listAnnotations(owner)).toHaveLength(annotationsMax);
  await expect(createAnnotation(owner, body())).rejects.toMatchObject({
    problem: { code: "annotations_full" },
  });
});

test("a text has 1 to 200 characters, and a time is one of the calendar in a known zone", () => {
  const accepts = (more: object) => annotationBody.safeParse({ ...body(), ...more }).success;
  expect(accepts({ text: "x".repeat(annotationCharsMax) })).toBe(true);
  expect(accepts({ text: "x".repeat(annotationCharsMax + 1) })).toBe(false);
  expect(accepts({ text: "  " })).toBe(false);
  expect(accepts({ at: "2028-02-29T23:59" })).toBe(true);
  for (const at of ["2026-02-29T00:00", "2026-06-01", "2026-06-01T24:00", "x'::timestamp"]) {
    expect(accepts({ at })).toBe(false);
  }
  expect(accepts({ timezone: "Mars/Olympus" })).toBe(false);
});

test("a share shows annotations only if it says so, and only those within its days", async () => {
  const owner = await newScope();
  const today = new Date().toISOString().slice(0, 16);
  await createAnnotation(owner, body({ text: "Long ago", at: "2020-01-01T00:00" }));
  await createAnnotation(owner, body({ text: "Today", at: today, timezone: "UTC" }));
  const seenIn = async (more: object) => {
    const share = { name: "S", kind: "workspace", parts: ["series"], ...more };
    const { token } = await createShare(owner, newShare.parse(share));
    const opened = await openShare({ token, grant: undefined, address: "203.0.113.7" });
    return opened.ok ? opened.share.annotations.map(({ text }) => text) : undefined;
  };
  expect(await seenIn({})).toEqual([]);
  expect(await seenIn({ annotations: true })).toEqual(["Long ago", "Today"]);
  expect(await seenIn({ annotations: true, daysMax: 7 })).toEqual(["Today"]);
  // Annotations belong to the chart.
  expect(await seenIn({ annotations: true, parts: ["figures"] })).toEqual([]);
});
