import { beforeAll, expect, test } from "vitest";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addOptOuts,
  checkOptOuts,
  deleteOptOut,
  exportOptOuts,
  findOptOut,
  listOptOuts,
  optOutBySystem,
} from "./index.ts";
import { exportOptOutsQuery, optOutPhonesMax, optOutPhonesUnseen, phonesBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
const first = { pageSize: 100 };

beforeAll(async () => {
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});

test("a phone is added once, however it is written, and invalid ones are reported", async () => {
  const phones = ["13800138000", "+86 138 0013 8000", "nobody", "13800138001"];
  const added = await addOptOuts(ada, { phones, country: "CN" });
  expect(added).toEqual({ added: 2, existing: 0, invalid: [2] });
  const again = await addOptOuts(ada, { phones: ["+8613800138000"] });
  expect(again).toEqual({ added: 0, existing: 1, invalid: [] });
});

test("concurrent calls add a phone once", async () => {
  const calls = Array.from({ length: 6 }, () => addOptOuts(ada, { phones: ["+8613800138007"] }));
  const added = (await Promise.all(calls)).reduce((sum, one) => sum + one.added, 0);
  expect(added).toBe(1);
});

test("phones are listed newest first, page by page, and masked without the permission", async () => {
  const viewer = await joinTestScope(ada, "viewer", "viewer");
  const [newest] = await listOptOuts(ada, { pageSize: 1 });
  expect(newest?.phone).toBe("+8613800138007");
  const rest = await listOptOuts(ada, { pageSize: 100, startingAfter: newest?.id });
  expect(rest.map(({ phone }) => phone).toSorted()).toEqual(["+8613800138000", "+8613800138001"]);
  const masked = await listOptOuts(viewer, first);
  expect(masked.map(({ phone }) => phone)).toContain("+86 **** 07");
  await expect(addOptOuts(viewer, { phones: ["+8613800138009"] })).rejects.toThrow(
    "campaigns.write",
  );
});

test("whoever sees masks only cannot ask which phones are on the list, nor take one off it", async () => {
  const [listed] = await listOptOuts(ada, first);
  const blind = [
    await joinTestScope(ada, "blind-viewer", "viewer"),
    await joinTestScope(ada, "blind-member", "member"),
  ];
  for (const scope of blind) {
    const phones = [String(listed?.phone)];
    await expect(checkOptOuts(scope, { phones })).rejects.toThrow("people.view");
    await expect(findOptOut(scope, String(phones[0]), "")).rejects.toThrow("people.view");
    await expect(deleteOptOut(scope, String(listed?.id))).rejects.toMatchObject({
      code: "forbidden",
    });
  }
  expect((await listOptOuts(ada, first)).map(({ id }) => id)).toContain(listed?.id);
});

test("whoever sees masks only adds a hundred phones per call and twenty times a day", async () => {
  const member = await joinTestScope(ada, "adding-member", "member");
  const phones = Array.from({ length: optOutPhonesUnseen }, (_, at) => `+86139001380${10 + at}`);
  const more = { phones: [...phones, "+8613700138000"] };
  await expect(addOptOuts(member, more)).rejects.toMatchObject({ code: "unprocessable_entity" });
  const { max } = limits.unseenOptOutsPerActor;
  for (let call = 0; call < max; call++) await addOptOuts(member, { phones });
  const one = { phones: ["+8613700138000"] };
  await expect(addOptOuts(member, one)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await addOptOuts(ada, more)).toMatchObject({ added: 1 });
});

test("phones are checked by their position, and deleted by the id that the check returns", async () => {
  const phones = ["13800138005", "x", "13800138001"];
  const { optedOut, invalid } = await checkOptOuts(ada, { phones, country: "CN" });
  expect(invalid).toEqual([1]);
  expect(optedOut.map(({ row }) => row)).toEqual([2]);
  const id = String(optedOut[0]?.id);
  await expect(deleteOptOut(bob, id)).rejects.toThrow("not found");
  expect(await deleteOptOut(ada, id)).toEqual({ id });
  await expect(deleteOptOut(ada, id)).rejects.toThrow("not found");
  expect(await checkOptOuts(ada, { phones, country: "CN" })).toMatchObject({ optedOut: [] });
});

test("a workspace knows nothing of the opt-outs of another", async () => {
  expect(await listOptOuts(bob, first)).toEqual([]);
  const { optedOut } = await checkOptOuts(bob, { phones: ["+8613800138000"] });
  expect(optedOut).toEqual([]);
});

test("each opt-out has its source, and the first one stays", async () => {
  const carl = await makeTestScope("carl");
  await addOptOuts(carl, { phones: ["+8613800138001"] });
  const phones = ["+8613800138002", "+8613800138003", "+8613800138004"];
  for (const [at, source] of (["page", "reply", "gateway"] as const).entries()) {
    await optOutBySystem(carl.workspacePk, [phones[at] ?? ""], source);
  }
  await optOutBySystem(carl.workspacePk, ["+8613800138001"], "reply");
  const listed = await listOptOuts(carl, first);
  expect(listed.map(({ source }) => source)).toEqual(["gateway", "reply", "page", "added"]);
});

test("a phone is found by its whole number, and only in its workspace", async () => {
  const dora = await makeTestScope("dora");
  await addOptOuts(dora, { phones: ["+8613800138000"] });
  expect(await findOptOut(dora, "138 0013 8000", "CN")).toMatchObject({ phone: "+8613800138000" });
  for (const phone of ["13800138000", "+8613800138001", "8000", ""]) {
    expect(await findOptOut(dora, phone, "")).toBeUndefined();
  }
  expect(await findOptOut(bob, "+8613800138000", "")).toBeUndefined();
});

test("the list is exported whole for those who see people, and the export is recorded", async () => {
  const erin = await makeTestScope("erin");
  const member = await joinTestScope(erin, "erin-member", "member");
  const phones = Array.from({ length: 1_001 }, (_, at) => `+861380013${String(1_000 + at)}`);
  await addOptOuts(erin, { phones });
  const read = async (format: "csv" | "jsonl") => {
    const chunks: Uint8Array[] = [];
    const file = await exportOptOuts(erin, exportOptOutsQuery.parse({ format }));
    await file.send((bytes) => {
      chunks.push(bytes);
      return Promise.resolve();
    });
    return Buffer.concat(chunks).toString().trimEnd().split(/\r?\n/);
  };
  const [header, ...lines] = await read("csv");
  expect(header).toBe("\u{feff}phone,source,createdAt");
  expect(lines.map((line) => `+${line.split(",")[0]}`).toSorted()).toEqual(phones);
  const objects = (await read("jsonl")).map((line): { phone: string } => JSON.parse(line));
  expect(objects.map(({ phone }) => phone).toSorted()).toEqual(phones);
  const query = exportOptOutsQuery.parse({});
  await expect(exportOptOuts(member, query)).rejects.toThrow("people.view");
  const entries = await listAudit(erin, { pageSize: 100 });
  expect(entries.filter(({ action }) => action === "opt-out.export")).toHaveLength(2);
});

test("the audit log has the number of phones, and no phone", async () => {
  const rows = await query<{ text: string }>(sql`
    SELECT audit::text AS text FROM audit WHERE workspace_pk = ${ada.workspacePk}`);
  const text = rows.map((row) => row.text).join("\n");
  expect(text).toContain("opt-out.create");
  expect(text).toContain("opt-out.delete");
  expect(text).not.toContain("138001380");
});

test("a call has at most ten thousand phones", () => {
  const phones = Array.from({ length: optOutPhonesMax }, () => "+8613800138000");
  expect(phonesBody.safeParse({ phones }).success).toBe(true);
  expect(phonesBody.safeParse({ phones: [...phones, "+8613800138000"] }).success).toBe(false);
  expect(phonesBody.safeParse({ phones: [] }).success).toBe(false);
});
