/** Uploads of images for social previews. */
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { pictureBytesMax } from "#lib/platform/images";
import { addressSubject, type LimitCall, limits, tryLimits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { listAudit } from "#lib/tenancy/audit";
import { list, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  deleteSocialImage,
  getSocialImage,
  imagesMax,
  listSocialImages,
  storeSocialImage,
} from "./index.ts";
import { listImagesQuery, namedLinksMax, newSocialImage, uploadBytesMax } from "./schema.ts";

openTestStores();
beforeAll(() => openLinks());

const address = "203.0.113.9";

function image(background = `#${randomBytes(3).toString("hex")}`): Promise<Buffer> {
  return sharp({ create: { width: 1_600, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
}

/** As many stored images as asked for, of the age. */
async function fill(workspacePk: number, count: number, ageDays: number): Promise<void> {
  await query(sql`
    INSERT INTO social_image (id, workspace_pk, hash, jpeg, width, height, created_at)
    SELECT
      ${`img_${workspacePk}_${ageDays}_`} || nth, ${workspacePk}, ${`${ageDays} `} || nth, '', 1, 1,
      now() - ${ageDays} * interval '1 day'
    FROM generate_series(1, ${count}) AS nth`);
}

test("anyone reads an uploaded image, and the same one is stored once for each workspace", async () => {
  const [scope, other] = [await makeTestScope("pictures"), await makeTestScope("galleries")];
  const bytes = await image("#0f766e");
  const stored = await storeSocialImage(scope, bytes);
  expect(stored).toMatchObject({ width: 1_200, height: 300 });
  expect(await storeSocialImage(scope, bytes)).toEqual(stored);
  expect((await storeSocialImage(other, bytes)).id).not.toBe(stored.id);
  const jpeg = await getSocialImage(stored.id, address);
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: "jpeg", width: 1_200 });
  expect(new URL(stored.url).pathname).toBe(`/api/social-images/${stored.id}`);
});

test("viewers upload nothing, and an unknown id is a 404 whatever it contains", async () => {
  const scope = await makeTestScope("watching");
  const viewer = await joinTestScope(scope, "watcher", "viewer");
  await expect(storeSocialImage(viewer, await image())).rejects.toMatchObject({
    code: "forbidden",
  });
  for (const id of ["img_01KAYV5M3EJ2Q4R8ZC7D0N6XWB", "img_\u0000", "../logo"]) {
    await expect(getSocialImage(id, address)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("max images are stored, one more is refused, and old ones that no link uses make room", async () => {
  const scope = await makeTestScope("fullhouse");
  const used = await storeSocialImage(scope, await image());
  await make(scope, [{ url: "https://example.com/", image: used.url }]);
  await query(sql`
    UPDATE social_image SET created_at = now() - interval '90 days' WHERE id = ${used.id}`);
  await fill(scope.workspacePk, imagesMax - 2, 1);
  await expect(storeSocialImage(scope, await image())).resolves.toBeDefined();
  await expect(storeSocialImage(scope, await image())).rejects.toThrow("up to 1000 uploaded");
  await query(sql`
    UPDATE social_image SET created_at = now() - interval '31 days'
    WHERE id = ${`img_${scope.workspacePk}_1_1`}`);
  await expect(storeSocialImage(scope, await image())).resolves.toBeDefined();
  await expect(getSocialImage(used.id, address)).resolves.toBeDefined();
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*) AS count FROM social_image WHERE workspace_pk = ${scope.workspacePk}`,
  );
  expect(row?.count).toBe(imagesMax);
});

test("uploads are limited per workspace, and requests per network address, at max and one above", async () => {
  const scope = await makeTestScope("busy");
  const other = await makeTestScope("calm");
  const exhaust = async (...limit: LimitCall) => {
    for (let used = 1; used < limits[limit[0]].max; used++) await tryLimits([limit]);
  };
  await exhaust("socialImagePerWorkspace", scope.workspaceId);
  const bytes = await image();
  const { id } = await storeSocialImage(scope, bytes);
  await expect(storeSocialImage(scope, bytes)).rejects.toMatchObject({
    code: "rate_limit_exceeded",
  });
  await expect(storeSocialImage(other, bytes)).resolves.toBeDefined();
  const visitor = "198.51.100.77";
  await exhaust("socialImagePerAddress", addressSubject(visitor));
  await expect(getSocialImage(id, visitor)).resolves.toBeDefined();
  await expect(getSocialImage(id, visitor)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  await expect(getSocialImage(id, "198.51.100.78")).resolves.toBeDefined();
});

test("the limit of a request is that of an image", () => {
  expect(uploadBytesMax).toBe(pictureBytesMax);
  const accepts = (bytes: number) =>
    newSocialImage.safeParse({ image: Buffer.alloc(bytes).toString("base64") }).success;
  expect(accepts(uploadBytesMax)).toBe(true);
  // Base64 has three bytes in four characters.
  expect(accepts(uploadBytesMax + 3)).toBe(false);
});

const everything = listImagesQuery.parse({});

test("the list names size and links of each image, newest first, and a page has up to 100", async () => {
  const [scope, other] = [await makeTestScope("album"), await makeTestScope("other-album")];
  const [unused, used] = [
    await storeSocialImage(scope, await image()),
    await storeSocialImage(scope, await image()),
  ];
  await storeSocialImage(other, await image());
  const body = { url: "https://example.com/", proxy: true, image: used.url };
  const links = await make(
    scope,
    Array.from({ length: namedLinksMax + 1 }, () => body),
  );
  await make(other, [body]);
  const listed = await listSocialImages(scope, everything);
  expect(listed.map(({ id, linkCount }) => [id, linkCount])).toEqual([
    [used.id, namedLinksMax + 1],
    [unused.id, 0],
  ]);
  const [first, second] = listed;
  expect(first?.bytes).toBe((await getSocialImage(used.id, address)).length);
  expect(first?.links).toHaveLength(namedLinksMax);
  const named = new Map(links.map(({ id, shortLink }) => [id, shortLink]));
  for (const { id, shortLink } of first?.links ?? []) expect(named.get(id)).toBe(shortLink);
  expect(second?.links).toEqual([]);
  expect(await listSocialImages(scope, { page: 2, pageSize: 1 })).toEqual([second]);
  expect(listImagesQuery.safeParse({ pageSize: 100 }).success).toBe(true);
  expect(listImagesQuery.safeParse({ pageSize: 101 }).success).toBe(false);
});

test("links in a folder that a member may not open are not counted", async () => {
  const scope = await makeTestScope("closed-album");
  const member = await joinTestScope(scope, "closed-reader", "member");
  const { url } = await storeSocialImage(scope, await image());
  const folder = createFolderBody.parse({ name: "Closed", accessLevel: null });
  const { id: folderId } = await createFolder(scope, folder);
  const link = { url: "https://example.com/", proxy: true, image: url };
  await make(scope, [link, { ...link, folderId }]);
  const countOf = async (one: typeof scope) =>
    (await listSocialImages(one, everything))[0]?.linkCount;
  expect(await countOf(scope)).toBe(2);
  expect(await countOf(member)).toBe(1);
});

test("owners and admins delete images, also used ones: links keep the URL, which is a 404 then", async () => {
  const [scope, other] = [await makeTestScope("tidy"), await makeTestScope("untidy")];
  const member = await joinTestScope(scope, "tidy-member", "member");
  const { id, url } = await storeSocialImage(scope, await image());
  const [link] = await make(scope, [{ url: "https://example.com/", proxy: true, image: url }]);
  expect(await getSocialImage(id, address)).toBeInstanceOf(Buffer);
  await expect(deleteSocialImage(member, id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(deleteSocialImage(other, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await deleteSocialImage(scope, id)).toEqual({ id });
  await expect(deleteSocialImage(scope, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(getSocialImage(id, address)).rejects.toMatchObject({ code: "not_found" });
  const [kept] = await list(scope, {});
  expect([kept?.id, kept?.image]).toEqual([link?.id, url]);
  const [entry] = await listAudit(scope, { pageSize: 1 });
  expect(entry).toMatchObject({ action: "social-image.delete", subject: id });
});
