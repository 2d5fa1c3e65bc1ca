/**
 * Images for the social previews of links. An upload is encoded again and stored, and links refer
 * to it by its URL, like to an image of any other site. Networks fetch it without signing in, so
 * anyone who knows its id can read it.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { newId, parseId, presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import { visibleLinks } from "#lib/links/visible-links";
import { config } from "#lib/platform/config";
import { AppError, assertRoom } from "#lib/platform/errors";
import { readPicture } from "#lib/platform/images";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { type ListedImage, type ListImages, namedLinksMax, type SocialImage } from "./schema.ts";
import {
  countImages,
  deleteImage,
  deleteUnused,
  findImageByHash,
  findJpeg,
  findOwnJpeg,
  type ImageRow,
  insertImage,
  listUsed,
} from "./store.ts";

export const imagesMax = 1_000;
/** How long unused images are kept: a link with one may still be saved or restored. */
const unusedDays = 30;
/** Networks fetch the image of a new post many times. */
const cacheBytesMax = 16 * 1_024 * 1_024;
/** How long processes that have read an image serve it after its deletion. */
const cachedMs = 60_000;
const prefix = "img";

const cache = new LRUCache<string, Buffer>({
  maxSize: cacheBytesMax,
  ttl: cachedMs,
  sizeCalculation: ({ length }) => length,
});

/** Stores an uploaded image, encoded again. An image that exists already is returned. */
export async function storeSocialImage(
  scope: WorkspaceScope,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<SocialImage> {
  // defence: image-upload-needs-write
  assertMay(scope, "links.write");
  const attempt = await tryLimit("socialImagePerWorkspace", scope.workspaceId);
  // defence: image-uploads-limited
  if (!attempt.ok) throw tooMany("uploaded", attempt.retryAfterSeconds);
  const { workspacePk, workspaceId } = scope;
  const picture = await readPicture(bytes, { workspaceId, signal });
  const row = { ...picture, id: newId(prefix), hash: hash("sha256", picture.jpeg, "hex") };
  return await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const known = await findImageByHash(tx, workspacePk, row.hash);
    if (known) return present(known);
    if ((await countImages(tx, workspacePk)) >= imagesMax) {
      await deleteUnused(tx, workspacePk, urlOf(""), unusedDays);
      // defence: images-per-workspace
      assertRoom(await countImages(tx, workspacePk), imagesMax, "uploaded images", {
        advice: `Delete some, or use the URL of an image instead. Images that no link has used for ${unusedDays} days are deleted when space is needed.`,
      });
    }
    return present(await insertImage(tx, workspacePk, row));
  });
}

/** Newest first, with the links that use them and that the actor may see. */
export async function listSocialImages(
  scope: WorkspaceScope,
  { page, pageSize }: ListImages,
): Promise<ListedImage[]> {
  assertMay(scope, "links.read");
  const rows = await listUsed({
    workspacePk: scope.workspacePk,
    base: urlOf(""),
    seen: await visibleLinks(scope),
    namedMax: namedLinksMax,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  return rows.map((row) => ({
    ...present(row),
    bytes: row.bytes,
    linkCount: row.linkCount,
    links: row.links.map(({ id, host, key }) => ({
      id: presentId("link", id),
      shortLink: shortUrl(host, key),
    })),
  }));
}

/** Links keep its URL, so only people who see all links may delete it: others would not know which links use it. */
export async function deleteSocialImage(
  scope: WorkspaceScope,
  id: string,
): Promise<{ id: string }> {
  // defence: image-deletion-needs-admin
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const isKnown = parseId(prefix, id) !== undefined && (await deleteImage(tx, workspacePk, id));
    if (!isKnown) throw new AppError("not_found", `Image "${id}" not found in this workspace.`);
    await recordAudit(tx, [{ workspacePk, actor, action: "social-image.delete", subject: id }]);
  });
  cache.delete(id);
  return { id };
}

/** An image for the export of its workspace. Undefined if it was deleted meanwhile. */
export async function readOwnImage(scope: WorkspaceScope, id: string): Promise<Buffer | undefined> {
  assertMay(scope, "workspace.export");
  return await findOwnJpeg(scope.workspacePk, id);
}

function present({ id, width, height, createdAt }: ImageRow): SocialImage {
  return { id, url: urlOf(id), width, height, createdAt: createdAt.toISOString() };
}

function urlOf(id: string): string {
  return new URL(`/api/social-images/${id}`, config().FUXI_URL).href;
}

export async function getSocialImage(id: string, address: string): Promise<Buffer> {
  const attempt = await tryLimit("socialImagePerAddress", addressSubject(address));
  // defence: image-request-limit
  if (!attempt.ok) throw tooMany("requested", attempt.retryAfterSeconds);
  const known = cache.get(id);
  if (known) return known;
  // Other texts could contain characters that no column accepts.
  const jpeg = parseId(prefix, id) === undefined ? undefined : await findJpeg(id);
  if (!jpeg) throw new AppError("not_found", `Image "${id}" not found.`);
  cache.set(id, jpeg);
  return jpeg;
}

function tooMany(what: "uploaded" | "requested", seconds: number): AppError {
  return new AppError("rate_limit_exceeded", `Too many images ${what}. Try again later.`, {
    retryAfterSeconds: seconds,
  });
}
