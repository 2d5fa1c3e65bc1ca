/** The design that a link keeps: used wherever its code is drawn, and shown to nobody who cannot read the link. */
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createLinks, duplicateLink, openLinks } from "#lib/links/creating";
import {
  deleteLinksWithUndo,
  editLink,
  listHistory,
  restoreLinks,
  restoreState,
} from "#lib/links/editing";
import {
  type EditLink,
  editLinkBody,
  type Link,
  type NewLink,
  parseNewLink,
} from "#lib/links/fields/schema";
import { findSignedDesign, signDesign } from "#lib/links/qr-design";
import { plainDesign, type QrDesign } from "#lib/links/qr-design/schema";
import { getLink } from "#lib/links/reading";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { fetchApi } from "../../../app/api/index.ts";
import { readArchive } from "../../../test/archive.ts";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  createTemplate,
  deleteLogo,
  drawLinkCode,
  drawSignedCode,
  openCodeArchive,
  storeLogo,
} from "./index.ts";
import { codeArchiveBody, newTemplate } from "./schema.ts";

openTestStores();

const options = { format: "png", size: 512, millimeters: 50 } as const;
const bold: QrDesign = { ...plainDesign, dots: "dots", foreground: "#1e3a8a", gradient: "radial" };
const framed: QrDesign = { ...plainDesign, frame: "line", caption: "Scan me" };
let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("saved-ada");
  eve = await makeTestScope("saved-eve");
});

async function one(body: Partial<NewLink> = {}, scope = ada): Promise<Link> {
  const [link] = await make(scope, [{ url: "https://a.example/", ...body }]);
  if (!link) throw new Error("no link");
  return link;
}

async function edit(link: Link, body: EditLink): Promise<Link> {
  const outcome = await editLink(ada, link.id, body);
  if (!outcome.ok) throw new Error(outcome.message);
  return (await getLink(ada, link.id)).link;
}

async function drawn(link: Link, requested = {}): Promise<string> {
  return Buffer.from((await drawLinkCode(ada, link.id, requested, options)).body).toString("hex");
}

let colors = 0;
async function newLogo(scope = ada): Promise<string> {
  colors += 1;
  const background = { r: colors, g: 40, b: 7 };
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer();
  return (await storeLogo(scope, png)).id;
}

describe("a saved design", () => {
  test("is returned with its link, drawn without being asked for, and reset by null", async () => {
    const link = await one({ qr: bold });
    expect((await getLink(ada, link.id)).link.qr).toEqual(bold);
    expect(await drawn(link)).toBe(await drawn(link, { design: bold }));
    const changed = await edit(link, { qr: framed });
    expect(changed.qr).toEqual(framed);
    expect(await drawn(link)).toBe(await drawn(link, { design: framed }));
    const reset = await edit(link, { qr: null });
    expect("qr" in reset).toBe(false);
    expect(await drawn(link)).toBe(await drawn(link, { design: plainDesign }));
  });

  test("is preferred to the default template, which links without one have", async () => {
    const scope = await makeTestScope("saved-default");
    const [own, none] = [await one({ qr: bold }, scope), await one({}, scope)];
    await createTemplate(scope, newTemplate.parse({ name: "D", design: framed, isDefault: true }));
    const draw = async ({ id }: Link, requested = {}) =>
      Buffer.from((await drawLinkCode(scope, id, requested, options)).body).toString("hex");
    expect(await draw(own)).toBe(await draw(own, { design: bold }));
    expect(await draw(none)).toBe(await draw(none, { design: framed }));
    expect(await draw(own, { template: "default" })).toBe(await draw(own, { design: framed }));
    expect(await draw(own, { template: "plain" })).toBe(await draw(own, { design: plainDesign }));
  });

  test("is used for each link of an archive, unless a template is requested", async () => {
    const links = [await one({ qr: bold }), await one({ qr: framed }), await one()];
    const linkIds = links.map(({ id }) => id);
    const imagesOf = async (more: object) => {
      const file = await openCodeArchive(
        ada,
        codeArchiveBody.parse({ linkIds, size: 512, ...more }),
      );
      const chunks: Uint8Array[] = [];
      await file.send(async (bytes) => void chunks.push(bytes));
      const entries = await readArchive(Buffer.concat(chunks));
      return entries.map(({ bytes }) => Buffer.from(bytes).toString("hex"));
    };
    const [first, second, third] = links as [Link, Link, Link];
    expect(await imagesOf({})).toEqual([
      await drawn(first),
      await drawn(second),
      await drawn(third),
    ]);
    const plain = await Promise.all(links.map((link) => drawn(link, { design: plainDesign })));
    expect(await imagesOf({ template: "plain" })).toEqual(plain);
  });

  test("that is saved again is no change", async () => {
    const link = await one({ qr: bold });
    const { revision } = await listHistory(ada, link.id);
    await edit(link, { qr: { ...bold } });
    expect((await listHistory(ada, link.id)).revision).toBe(revision);
  });

  test("is drawn without the characters of its caption that no font has", async () => {
    const link = await one({ qr: { ...framed, caption: "안녕 Scan me" } });
    expect(await drawn(link)).toBe(await drawn(link, { design: framed }));
    await expect(
      drawn(link, { design: { ...framed, caption: "안녕 Scan me" } }),
    ).rejects.toMatchObject({
      problem: { code: "caption_undrawable", params: { signs: "안 녕" } },
    });
  });

  test("that no scanner could read is refused", () => {
    for (const colors of [
      { foreground: "#959595" },
      { cornerColor: "#959595" },
      { gradient: "linear", gradientColor: "#959595" },
    ]) {
      const refused = parseNewLink({ url: "https://a.example/", qr: colors });
      expect(refused.error?.issues[0]?.message).toContain("too little contrast");
      expect(editLinkBody.safeParse({ qr: colors }).success).toBe(false);
    }
    expect(
      editLinkBody.safeParse({ qr: { gradient: "none", gradientColor: "#959595" } }).success,
    ).toBe(true);
  });

  test("survives a duplicate, a deletion that is undone, and comes back with an earlier state", async () => {
    const link = await one({ qr: bold });
    const copy = await duplicateLink(ada, link.id);
    expect(copy.ok && copy.link.qr).toEqual(bold);
    await deleteLinksWithUndo(ada, [link.id]);
    const [restored] = await restoreLinks(ada, [link.id]);
    expect(restored?.ok).toBe(true);
    expect((await getLink(ada, link.id)).link.qr).toEqual(bold);
    await edit(link, { qr: null });
    const { revision } = await listHistory(ada, link.id);
    expect(await restoreState(ada, link.id, null, revision)).toMatchObject({
      ok: true,
      leftOut: [],
    });
    expect((await getLink(ada, link.id)).link.qr).toEqual(bold);
  });
});

describe("the logo of a saved design", () => {
  test("belongs to the workspace of the link; another one is refused like a missing one", async () => {
    const [own, foreign] = [await newLogo(), await newLogo(eve)];
    const link = await one({ qr: { ...bold, logoId: own } });
    expect(link.qr?.logoId).toBe(own);
    const refused = await editLink(ada, link.id, { qr: { ...bold, logoId: foreign } });
    expect(refused).toMatchObject({ ok: false, code: "logo_unknown" });
    const missing = await editLink(ada, link.id, { qr: { ...bold, logoId: "qrl_x" } });
    expect(missing).toMatchObject({ ok: false, code: "logo_unknown" });
    const [created] = await createLinks(ada, [
      { url: "https://a.example/", qr: { ...bold, logoId: foreign } } as NewLink,
    ]);
    expect(created).toMatchObject({ ok: false, code: "logo_unknown" });
  });

  test("is not deleted while a link uses it", async () => {
    const logoId = await newLogo();
    const link = await one({ qr: { ...bold, logoId } });
    await expect(deleteLogo(ada, logoId)).rejects.toMatchObject({ code: "conflict" });
    await edit(link, { qr: bold });
    expect(await deleteLogo(ada, logoId)).toEqual({ id: logoId });
  });

  test("that was deleted meanwhile is left out of a restored state, a duplicate and the drawing", async () => {
    const logoId = await newLogo();
    const link = await one({ qr: { ...bold, logoId } });
    await edit(link, { qr: null });
    await deleteLogo(ada, logoId);
    const { revision } = await listHistory(ada, link.id);
    const restored = await restoreState(ada, link.id, null, revision);
    expect(restored).toMatchObject({ ok: true, leftOut: ["qr"] });
    expect((await getLink(ada, link.id)).link.qr).toEqual(bold);
    // As after moving the link to another workspace.
    const gone = JSON.stringify({ ...bold, logoId });
    await query(sql`UPDATE link SET qr = ${gone}::jsonb WHERE key = ${link.key}`);
    expect(await drawn(link)).toBe(await drawn(link, { design: bold }));
    const copy = await duplicateLink(ada, link.id);
    expect(copy.ok && copy.link.qr).toEqual(bold);
  });

  test("of another workspace is never drawn, even where a row names it", async () => {
    const foreign = await newLogo(eve);
    const link = await one();
    const stolen = JSON.stringify({ ...bold, logoId: foreign });
    await query(sql`UPDATE link SET qr = ${stolen}::jsonb WHERE key = ${link.key}`);
    expect(await drawn(link)).toBe(await drawn(link, { design: bold }));
  });
});

describe("the public image", () => {
  const signatureOf = ({ qrCode }: Link) => new URL(qrCode).searchParams.get("design") ?? "";
  const drawSigned = async (signature: string, url: string) =>
    await drawSignedCode(signature, url, { format: "png", size: 512 });

  test("of qrCode shows the saved design over HTTP; without one, qrCode is that of any URL", async () => {
    const link = await one({ qr: bold });
    const path = new URL(link.qrCode);
    const ask = async (address: URL | string) => {
      const response = await fetchApi(new Request(address), "203.0.113.20");
      return { response, image: Buffer.from(await response.arrayBuffer()).toString("hex") };
    };
    const signed = await ask(`${path.href}&size=512`);
    expect(signed.response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(signed.image).toBe(await drawn(link));
    path.searchParams.delete("design");
    const plain = await ask(path.href);
    expect(plain.response.headers.get("cache-control")).toBe("public, max-age=86400");
    const reset = new URL((await edit(link, { qr: null })).qrCode);
    expect(reset.search).not.toContain("design");
    // The same as for a URL that is no link: nothing tells that there is one.
    await edit(link, { qr: bold });
    const forged = await ask(`${path.href}&design=${link.id}.${"A".repeat(22)}`);
    expect(forged.image).toBe(plain.image);
  });

  test("is plain for a signature of another link, another URL, or a changed one", async () => {
    const [link, other] = [await one({ qr: bold }), await one({ qr: framed }, eve)];
    const url = `${link.shortLink}?qr=1`;
    const signature = signatureOf(link);
    expect(await drawSigned(signature, url)).toBeDefined();
    const [, mac = ""] = signature.split(".");
    const others = [
      "",
      ".",
      link.id,
      `${link.id}.`,
      `${other.id}.${mac}`,
      `${link.id}.${mac.slice(1)}`,
      `${link.id}.${mac}AAAA`,
      `${link.id}.${"A".repeat(mac.length)}`,
      signatureOf(other),
    ];
    for (const wrong of others) expect(await drawSigned(wrong, url), wrong).toBeUndefined();
    expect(await drawSigned(signature, `${other.shortLink}?qr=1`)).toBeUndefined();
    expect(await drawSigned(signature, link.shortLink)).toBeUndefined();
  });

  test("is plain after the design was reset or the link was deleted", async () => {
    const link = await one({ qr: bold });
    const [signature, url] = [signatureOf(link), `${link.shortLink}?qr=1`];
    expect(signature).toBe(signDesign(link.id, url));
    await edit(link, { qr: null });
    expect(await findSignedDesign(signature, url)).toBeUndefined();
    await edit(link, { qr: framed });
    expect((await findSignedDesign(signature, url))?.design).toEqual(framed);
    await deleteLinksWithUndo(ada, [link.id]);
    expect(await findSignedDesign(signature, url)).toBeUndefined();
  });
});
