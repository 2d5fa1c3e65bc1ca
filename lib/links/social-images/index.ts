/**
 * Images for the social previews of links. An upload is encoded again and stored; a link refers to it by its URL, as to
 * an image of any other site. Networks fetch it without signing in, so anyone who knows its id can read it.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { newId, parseId } from "#lib/platform/ids";
import { readPicture } from "#lib/platform/images";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import type { SocialImage } from "./schema.ts";
import {
  countImages,
  deleteUnused,
  findImageByHash,
  findJpeg,
  type ImageRow,
  insertImage,
} from "./store.ts";

/** Per workspace. */
export const imagesMax = 1_000;
/** An image that no link uses is kept this long: a link with it may still be saved, or restored. */
const unusedDays = 30;
/** Networks fetch the image of a new post many times. */
const cacheBytesMax = 16 * 1_024 * 1_024;
const prefix = "img";

const cache = new LRUCache<string, Buffer>({
  maxSize: cacheBytesMax,
  sizeCalculation: ({ length }) => length,
});

/** Stores an uploaded image, encoded again. The same image is stored once and returned again. */
export async function storeSocialImage(scope: WorkspaceScope, bytes: Buffer): Promise<SocialImage> {
  assertMay(scope, "links.write");
  const attempt = await tryLimit("socialImagePerWorkspace", scope.workspaceId);
  if (!attempt.ok) throw tooMany("uploaded", attempt.retryAfterSeconds);
  const picture = await readPicture(bytes);
  const { workspacePk } = scope;
  const row = { ...picture, id: newId(prefix), hash: hash("sha256", picture.jpeg, "hex") };
  return await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const known = await findImageByHash(tx, workspacePk, row.hash);
    if (known) return present(known);
    if ((await countImages(tx, workspacePk)) >= imagesMax) {
      await deleteUnused(tx, workspacePk, urlOf(""), unusedDays);
      if ((await countImages(tx, workspacePk)) >= imagesMax) throw full();
    }
    return present(await insertImage(tx, workspacePk, row));
  });
}

function full(): AppError {
  return new AppError(
    "forbidden",
    `A workspace can have up to ${imagesMax} uploaded images. Use the URL of an image instead, or remove images from links: those that no link has used for ${unusedDays} days are deleted.`,
  );
}

function present({ id, width, height, createdAt }: ImageRow): SocialImage {
  return { id, url: urlOf(id), width, height, createdAt: createdAt.toISOString() };
}

function urlOf(id: string): string {
  return new URL(`/api/social-images/${id}`, config().FUXI_URL).href;
}

/** The JPEG of an image, for anyone. Throws not_found. */
export async function getSocialImage(id: string, address: string): Promise<Buffer> {
  const attempt = await tryLimit("socialImagePerAddress", addressSubject(address));
  if (!attempt.ok) throw tooMany("requested", attempt.retryAfterSeconds);
  const known = cache.get(id);
  if (known) return known;
  // Another text could contain characters that no column accepts.
  const jpeg = parseId(prefix, id) === undefined ? undefined : await findJpeg(id);
  if (!jpeg) throw new AppError("not_found", `Image "${id}" not found.`);
  cache.set(id, jpeg);
  return jpeg;
}

function tooMany(what: "uploaded" | "requested", seconds: number): AppError {
  return new AppError("rate_limit_exceeded", `Too many images ${what}. Try again later.`, seconds);
}
