/** Templates, logos and codes of a workspace, on a real database. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { plainDesign } from "#lib/links/qr-design/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { readArchive } from "../../../test/archive.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { readQrCode } from "../../../test/zbar.ts";
import {
  createTemplate,
  deleteLogo,
  deleteTemplate,
  drawLinkCode,
  editTemplate,
  findDesign,
  getLogoPng,
  listLogos,
  listTemplates,
  logosMax,
  openCodeArchive,
  storeLogo,
  templatesMax,
} from "./index.ts";
import { archivesAtOnceMax, codeArchiveBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let folder = "";

beforeAll(async () => {
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  await openLinks();
  folder = mkdtempSync(join(tmpdir(), "fuxi-studio-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const template = (name: string, more: object = {}) => ({
  name,
  design: plainDesign,
  isDefault: false,
  ...more,
});

let colors = 0;
/** A unique image. */
async function picture(): Promise<Buffer> {
  colors += 1;
  const background = { r: colors % 256, g: colors >> 8, b: 7 };
  return await sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .webp({ lossless: true })
    .toBuffer();
}

async function makeLink(scope: WorkspaceScope, key?: string) {
  const [outcome] = await createLinks(scope, [
    { url: "https://example.com/", ...(key ? { key } : {}) },
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

async function readBytes(bytes: Uint8Array): Promise<string | undefined> {
  const file = join(folder, "read.png");
  writeFileSync(file, bytes);
  return await readQrCode(file);
}

const options = { format: "png", size: 512, millimeters: 50 } as const;
const missing = { code: "not_found" };

describe("templates", () => {
  test("store a design and return it, the default first", async () => {
    const scope = await makeTestScope("keeper");
    const design = { ...plainDesign, dots: "dots" as const, caption: "扫码 & go", margin: 6 };
    const plain = await createTemplate(scope, template("Plain"));
    const brand = await createTemplate(scope, template("Brand", { design, isDefault: true }));
    expect(brand.design).toEqual(design);
    expect((await listTemplates(scope)).map(({ name }) => name)).toEqual(["Brand", "Plain"]);
    expect(await findDesign(scope, "default")).toEqual(design);
    expect(await findDesign(scope, plain.id)).toEqual(plainDesign);
    expect(await findDesign(scope, "plain")).toEqual(plainDesign);
  });

  test("a new default replaces the previous one, whoever is first", async () => {
    const scope = await makeTestScope("racer");
    const created = await Promise.all(
      ["A", "B", "C"].map((name) => createTemplate(scope, template(name, { isDefault: true }))),
    );
    const edits = created.map(({ id }) => editTemplate(scope, id, { isDefault: true }));
    await Promise.all(edits);
    expect((await listTemplates(scope)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test("every change leaves an entry in the audit", async () => {
    const scope = await makeTestScope("audited");
    const { id } = await createTemplate(scope, template("A"));
    await editTemplate(scope, id, { name: "B" });
    await deleteTemplate(scope, id);
    const logo = await storeLogo(scope, await picture());
    await deleteLogo(scope, logo.id);
    const entries = await listAudit(scope, { pageSize: 5 });
    expect(entries.map(({ action }) => action)).toEqual([
      "qr-logo.delete",
      "qr-logo.create",
      "qr-template.delete",
      "qr-template.edit",
      "qr-template.create",
    ]);
    expect(entries[3]?.details).toEqual({ name: { from: "A", to: "B" } });
  });

  test("of a workspace are as many as the limit, also when they are created at once", async () => {
    const scope = await makeTestScope("full");
    await query(sql`
      INSERT INTO qr_template (id, workspace_pk, name, design)
      SELECT 'full-' || at, ${scope.workspacePk}, 'T', '{}'
      FROM generate_series(1, ${templatesMax - 1}) AS at`);
    const outcomes = await Promise.allSettled(
      ["A", "B", "C"].map((name) => createTemplate(scope, template(name))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(createTemplate(scope, template("D"))).rejects.toMatchObject({ code: "forbidden" });
  });

  test("read-only members create, change and delete none", async () => {
    const viewer = await joinTestScope(ada, "viewer", "viewer");
    const { id } = await createTemplate(ada, template("Seen"));
    const refused = { code: "forbidden" };
    await expect(createTemplate(viewer, template("No"))).rejects.toMatchObject(refused);
    await expect(editTemplate(viewer, id, { name: "No" })).rejects.toMatchObject(refused);
    await expect(deleteTemplate(viewer, id)).rejects.toMatchObject(refused);
    await expect(storeLogo(viewer, await picture())).rejects.toMatchObject(refused);
    expect((await listTemplates(viewer)).some((one) => one.id === id)).toBe(true);
  });
});

describe("logos", () => {
  test("the same image is stored once in a workspace", async () => {
    const bytes = await picture();
    const [one, other] = await Promise.all([storeLogo(ada, bytes), storeLogo(ada, bytes)]);
    expect(one.id).toBe(other.id);
    expect((await storeLogo(eve, bytes)).id).not.toBe(one.id);
  });

  test("of a workspace are as many as the limit", async () => {
    const scope = await makeTestScope("gallery");
    await query(sql`
      INSERT INTO qr_logo (id, workspace_pk, hash, png, width, height)
      SELECT 'gallery-' || at, ${scope.workspacePk}, at::text, '', 1, 1
      FROM generate_series(1, ${logosMax - 1}) AS at`);
    const pictures = [await picture(), await picture(), await picture()];
    const outcomes = await Promise.allSettled(pictures.map((bytes) => storeLogo(scope, bytes)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listLogos(scope)).toHaveLength(logosMax);
  });

  test("a logo used by a template stays until no template uses it", async () => {
    const { id: logoId } = await storeLogo(ada, await picture());
    const design = { ...plainDesign, logoId };
    const { id } = await createTemplate(ada, template("With logo", { design }));
    await expect(deleteLogo(ada, logoId)).rejects.toMatchObject({ code: "conflict" });
    await editTemplate(ada, id, { design: plainDesign });
    await expect(deleteLogo(ada, logoId)).resolves.toEqual({ id: logoId });
  });

  test("deleting a workspace deletes its templates and logos", async () => {
    const scope = await makeTestScope("leaver");
    const { id: logoId } = await storeLogo(scope, await picture());
    await createTemplate(scope, template("Gone", { design: { ...plainDesign, logoId } }));
    await query(sql`DELETE FROM domain WHERE workspace_pk = ${scope.workspacePk}`);
    await query(sql`DELETE FROM workspace WHERE pk = ${scope.workspacePk}`);
    const left = await query(sql`SELECT pk FROM qr_logo WHERE id = ${logoId}`);
    expect(left).toEqual([]);
  });
});

describe("another workspace", () => {
  test("its templates, logos and links are answered exactly like missing ones", async () => {
    const { id: logoId } = await storeLogo(ada, await picture());
    const { id } = await createTemplate(ada, template("Ada's"));
    const { id: linkId } = await makeLink(ada);
    const own = await makeLink(eve);
    const withLogo = { ...plainDesign, logoId };
    const archive = (body: object) => openCodeArchive(eve, codeArchiveBody.parse(body));
    const attempts = [
      () => findDesign(eve, id),
      () => editTemplate(eve, id, { name: "Mine" }),
      () => deleteTemplate(eve, id),
      () => getLogoPng(eve, logoId),
      () => deleteLogo(eve, logoId),
      () => createTemplate(eve, template("Steal", { design: withLogo })),
      () => drawLinkCode(eve, own.id, { design: withLogo }, options),
      () => drawLinkCode(eve, linkId, { design: plainDesign }, options),
      () => archive({ linkIds: [own.id, linkId] }),
      () => archive({ linkIds: [own.id], template: id }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(missing);
    expect((await listTemplates(eve)).some((one) => one.id === id)).toBe(false);
    expect((await listLogos(eve)).some((one) => one.id === logoId)).toBe(false);
    expect((await findDesign(ada, id)).dots).toBe("square");
  });

  test.each(["", "qrt_", "x\0", "\ud800", "x".repeat(10_000), "../../etc"])(
    "an id such as %j is missing too",
    async (id) => {
      await expect(findDesign(ada, id)).rejects.toMatchObject(missing);
      await expect(getLogoPng(ada, id)).rejects.toMatchObject(missing);
      await expect(deleteLogo(ada, id)).rejects.toMatchObject(missing);
      await expect(deleteTemplate(ada, id)).rejects.toMatchObject(missing);
    },
  );
});

describe("codes", () => {
  test("contain the short link marked as a scan, and stay the same when the destination changes", async () => {
    const link = await makeLink(ada);
    const { id: logoId } = await storeLogo(ada, await picture());
    const design = { ...plainDesign, logoId, dots: "rounded" as const };
    const before = await drawLinkCode(ada, link.id, { design }, options);
    expect(await readBytes(before.body)).toBe(`${link.shortLink}?qr=1`);
    await editLink(ada, link.id, { url: "https://example.com/elsewhere" });
    const after = await drawLinkCode(ada, link.id, { design }, options);
    expect(Buffer.from(after.body).equals(Buffer.from(before.body))).toBe(true);
  });

  test("a key of other characters is drawn as the address that a browser requests", async () => {
    const link = await makeLink(ada, "秋-sale");
    const { body } = await drawLinkCode(ada, link.id, { design: plainDesign }, options);
    expect(await readBytes(body)).toBe(`${new URL(link.shortLink).href}?qr=1`);
  });

  test("of several links are an archive of one image each, and every one is decoded", async () => {
    const links = [await makeLink(ada, "Box"), await makeLink(ada, "box"), await makeLink(ada)];
    const linkIds = [...links, ...links].map(({ id }) => id);
    const file = await openCodeArchive(ada, codeArchiveBody.parse({ linkIds }));
    const chunks: Uint8Array[] = [];
    await file.send(async (bytes) => void chunks.push(bytes));
    const entries = await readArchive(Buffer.concat(chunks));
    const names = entries.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(links.length);
    const texts: (string | undefined)[] = [];
    for (const { bytes } of entries) texts.push(await readBytes(bytes));
    expect(texts).toEqual(links.map(({ shortLink }) => `${shortLink}?qr=1`));
  });

  test("no more archives are sent at once than the limit, and a sent one makes room", async () => {
    const { id } = await makeLink(ada);
    const body = codeArchiveBody.parse({ linkIds: [id], format: "svg" });
    const open = await Promise.all(
      Array.from({ length: archivesAtOnceMax }, () => openCodeArchive(ada, body)),
    );
    const refused = { code: "rate_limit_exceeded" };
    await expect(openCodeArchive(ada, body)).rejects.toMatchObject(refused);
    for (const file of open) await file.send(async () => undefined);
    const next = await openCodeArchive(ada, body);
    await expect(next.send(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    await (await openCodeArchive(ada, body)).send(async () => undefined);
  });

  test("an archive has 1 to 200 links and images of 128 to 2,048 pixels", () => {
    const fits = (body: object) => codeArchiveBody.safeParse(body).success;
    const linkIds = ["link_1"];
    expect(fits({ linkIds: Array(200).fill("link_1") })).toBe(true);
    expect(fits({ linkIds: Array(201).fill("link_1") })).toBe(false);
    expect(fits({ linkIds: [] })).toBe(false);
    for (const size of [128, 2_048]) expect(fits({ linkIds, size })).toBe(true);
    for (const size of [127, 2_049, 500.5, "500"]) expect(fits({ linkIds, size })).toBe(false);
  });
});
