/**
 * The icon of a site, as a small PNG.
 *
 * It is requested at `/favicon.ico`, then where the site's home page says. Each process caches the result for a while,
 * even a missing one, so that a list of links queries a site once. The image is decoded and encoded again; SVG is a
 * document and not accepted.
 */

import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";
import { readLogo } from "#lib/platform/images";
import { tryLimit } from "#lib/platform/limits";
import { fetchPublic } from "#lib/platform/safe-fetch";
import { parseUrl } from "#lib/platform/url-parsing/schema";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isPage, PageReader } from "./page.ts";

const fetching = { timeoutMs: 3_000, redirectsMax: 3 };
const pictureBytesMax = 262_144;
const pageBytesMax = 131_072;
/** Twice the side length in lists. */
const sidePixels = 64;
/** Sites with a cached icon, or a cached miss. */
export const sitesCachedMax = 1_000;
const foundMs = 86_400_000;
const missingMs = 3_600_000;
/** Per process. */
export const iconsAtOnceMax = 16;

interface CachedIcon {
  png: Buffer | undefined;
  until: number;
}

const cache = new LRUCache<string, CachedIcon>({ max: sitesCachedMax });
const running = new Map<string, Promise<Icon>>();

/** `png` is undefined where there is none; `later`: too many requests are running, so the result is unknown. */
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
  // Registered before the first await: a list requests fifty at the same moment.
  const pending = fetchIcon(scope, site).finally(() => running.delete(site));
  running.set(site, pending);
  return await pending;
}

function isOrigin(site: string): boolean {
  const url = parseUrl(site);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === site;
}

async function fetchIcon(scope: WorkspaceScope, site: string): Promise<Icon> {
  const attempt = await tryLimit("iconPerWorkspace", scope.workspaceId);
  if (!attempt.ok) return { png: undefined, later: true };
  const png = await findIcon(site);
  cache.set(site, { png, until: Date.now() + (png ? foundMs : missingMs) });
  return { png, later: false };
}

async function findIcon(site: string): Promise<Buffer | undefined> {
  const favicon = await fetchImage(`${site}/favicon.ico`);
  if (favicon) return favicon;
  for (const url of await iconsOfPage(`${site}/`)) {
    const png = await fetchImage(url);
    if (png) return png;
  }
  return undefined;
}

async function fetchImage(url: string): Promise<Buffer | undefined> {
  const bytes = await fetchBytes(url);
  return bytes && (await shrink(bytes));
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

/** Undefined: not a supported image. */
async function shrink(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    const { png } = await readLogo(pngIn(bytes) ?? bytes);
    return await sharp(png)
      .resize(sidePixels, sidePixels, { fit: "inside", withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    return undefined; // an unsupported or invalid image
  }
}

const icoHead = Buffer.from([0, 0, 1, 0]);
const pngHead = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const icoHeadBytes = 6;
const icoEntryBytes = 16;

/** The largest PNG in an ICO file, which is a list of images. Undefined: it has none, or is not an ICO. */
export function pngIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < icoHeadBytes || !bytes.subarray(0, icoHead.length).equals(icoHead)) return;
  let largest: Buffer | undefined;
  for (let nth = 0; nth < bytes.readUInt16LE(4); nth++) {
    const entry = icoHeadBytes + nth * icoEntryBytes;
    if (entry + icoEntryBytes > bytes.length) break;
    const start = bytes.readUInt32LE(entry + 12);
    const picture = bytes.subarray(start, start + bytes.readUInt32LE(entry + 8));
    const isPng = picture.subarray(0, pngHead.length).equals(pngHead);
    if (isPng && picture.length > (largest?.length ?? 0)) largest = picture;
  }
  return largest;
}

export interface SiteLook {
  /** `#rrggbb` */
  color: string | null;
  /** A PNG, as large as the site has it. */
  icon: Buffer | undefined;
}

/** Theme color and icon of a site, given as an origin. */
export async function readLook(site: string): Promise<SiteLook> {
  const page = await readHome(`${site}/`);
  for (const url of [...(page?.icons ?? []), `${site}/favicon.ico`]) {
    const bytes = await fetchBytes(url);
    const icon = bytes && (await decode(bytes));
    if (icon) return { color: page?.themeColor ?? null, icon };
  }
  return { color: page?.themeColor ?? null, icon: undefined };
}

/** Undefined: not a supported image. */
async function decode(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    return (await readLogo(pngIn(bytes) ?? bytes)).png;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function iconsOfPage(url: string): Promise<string[]> {
  return (await readHome(url))?.icons ?? [];
}

async function readHome(url: string): Promise<PageReader | undefined> {
  let page: PageReader | undefined;
  await fetchPublic({
    url,
    accept: "text/html,application/xhtml+xml",
    limits: { ...fetching, bytesMax: pageBytesMax },
    open: (arrived) => {
      if (!isPage(arrived.type)) return undefined;
      const reader = new PageReader(arrived.url, arrived.type);
      page = reader;
      return (part) => reader.feed(part);
    },
  });
  return page;
}
