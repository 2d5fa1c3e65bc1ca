/**
 * The icon of a site, as a small PNG: from `/favicon.ico`, otherwise where the home page says. Each
 * process caches the result for a while, even a missing icon, so that a list of links queries a
 * site once. The image is decoded and encoded again. SVG is a document and not accepted.
 */
import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { parseUrl } from "#lib/basics/urls/schema";
import { AppError } from "#lib/platform/errors";
import { readIcon } from "#lib/platform/images";
import { tryLimit } from "#lib/platform/limits";
import type { Sender } from "#lib/platform/parsers";
import { fetchPublic } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { fetchHead, type PageHead } from "./head.ts";

const fetching = { timeoutMs: 3_000, redirectsMax: 3 };
const pictureBytesMax = 262_144;
const pageBytesMax = 131_072;
const sidePixels = 64;
export const sitesCachedMax = 1_000;
const foundMs = 86_400_000;
const missingMs = 3_600_000;
export const iconsAtOnceMax = 16;

interface CachedIcon {
  png: Buffer | undefined;
  until: number;
}

const cache = new LRUCache<string, CachedIcon>({ max: sitesCachedMax });
const running = new Map<string, Promise<Icon>>();

/** `later`: too many requests are running, so the result is unknown. */
interface Icon {
  png: Buffer | undefined;
  later: boolean;
}

/** The icon of a site, given as an origin such as `https://example.com`. */
export async function siteIcon(scope: WorkspaceScope, site: string): Promise<Icon> {
  assertMay(scope, "links.read");
  if (!isOrigin(site)) return { png: undefined, later: false };
  const cached = cache.get(site);
  if (cached && cached.until >= Date.now()) return { png: cached.png, later: false };
  const current = running.get(site);
  if (current !== undefined) return await current;
  if (running.size >= iconsAtOnceMax) return { png: undefined, later: true };
  // Register before the first await, because a list requests fifty icons at once.
  const pending = fetchIcon(scope, site)
    .catch(asLater)
    .finally(() => running.delete(site));
  running.set(site, pending);
  return await pending;
}

function asLater(error: unknown): Icon {
  if (error instanceof AppError) return { png: undefined, later: true };
  throw error;
}

function isOrigin(site: string): boolean {
  const url = parseUrl(site);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === site;
}

async function fetchIcon(scope: WorkspaceScope, site: string): Promise<Icon> {
  const attempt = await tryLimit("iconPerWorkspace", scope.workspaceId);
  if (!attempt.ok) return { png: undefined, later: true };
  const png = await findIcon(site, { workspaceId: scope.workspaceId });
  cache.set(site, { png, until: Date.now() + (png ? foundMs : missingMs) });
  return { png, later: false };
}

async function findIcon(site: string, sender: Sender): Promise<Buffer | undefined> {
  const favicon = await fetchImage(`${site}/favicon.ico`, sender);
  if (favicon) return favicon;
  for (const url of (await readHome(`${site}/`, sender))?.icons ?? []) {
    const png = await fetchImage(url, sender);
    if (png) return png;
  }
  return undefined;
}

async function fetchImage(url: string, sender: Sender): Promise<Buffer | undefined> {
  const bytes = await fetchBytes(url);
  return bytes && (await shrink(bytes, sender));
}

async function fetchBytes(url: string): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  const fetched = await fetchPublic({
    url,
    accept: "image/png,image/x-icon,image/webp,image/jpeg",
    limits: { ...fetching, bytesMax: pictureBytesMax },
    open: () => (part) => {
      parts.push(part);
      return true;
    },
  });
  return fetched.ok ? Buffer.concat(parts) : undefined;
}

async function shrink(bytes: Buffer, sender: Sender): Promise<Buffer | undefined> {
  const icon = await unlessRefused(readIcon(bytes, sender));
  return await (icon &&
    sharp(icon.png)
      .resize(sidePixels, sidePixels, { fit: "inside", withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer());
}

export interface SiteLook {
  color: string | null;
  /** A PNG in the size of the original. */
  icon: Buffer | undefined;
}

export async function readLook(site: string, sender: Sender): Promise<SiteLook> {
  const page = await readHome(`${site}/`, sender);
  for (const url of [...(page?.icons ?? []), `${site}/favicon.ico`]) {
    const bytes = await fetchBytes(url);
    const icon = bytes && (await unlessRefused(readIcon(bytes, sender)));
    if (icon) return { color: page?.themeColor ?? null, icon: icon.png };
  }
  return { color: page?.themeColor ?? null, icon: undefined };
}

async function readHome(url: string, sender: Sender): Promise<PageHead | undefined> {
  const fetched = await unlessRefused(
    fetchHead(url, { ...fetching, bytesMax: pageBytesMax }, sender),
  );
  return fetched?.ok ? fetched.head : undefined;
}

/** Throws service_unavailable, which says nothing about the document. */
async function unlessRefused<T>(parsed: Promise<T>): Promise<T | undefined> {
  try {
    return await parsed;
  } catch (error) {
    if (error instanceof AppError && error.code !== "service_unavailable") return undefined;
    throw error;
  }
}
