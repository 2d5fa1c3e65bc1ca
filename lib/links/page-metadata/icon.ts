/**
 * The picture by which a site is known, as a small PNG of ours.
 *
 * It is asked for at `/favicon.ico`, then where the site's first page says. Each process keeps what it found for a while,
 * also that there is none, so that a list of links asks a site once. What came is decoded and encoded anew; SVG is a
 * document and counts as none.
 */
import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { readLogo } from "#lib/platform/images";
import { tryLimit } from "#lib/platform/limits";
import { fetchPublic } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isPage, PageReader } from "./page.ts";

const fetching = { timeoutMs: 3_000, redirectsMax: 3 };
const pictureBytesMax = 262_144;
const pageBytesMax = 131_072;
/** Twice the side at which lists show it. */
const sidePixels = 64;
/** Sites of which a process knows the icon, or that there is none. */
export const sitesKeptMax = 1_000;
const foundMs = 86_400_000;
const missingMs = 3_600_000;
/** In one process. */
export const iconsAtOnceMax = 16;

interface Kept {
  png: Buffer | undefined;
  until: number;
}

const kept = new LRUCache<string, Kept>({ max: sitesKeptMax });
const running = new Map<string, Promise<Icon>>();

/** `png` is missing where there is none; `later`: too much is being asked for, so nobody knows yet. */
interface Icon {
  png: Buffer | undefined;
  later: boolean;
}

/** The icon of a site, which is an origin such as `https://example.com`. */
export async function siteIcon(scope: WorkspaceScope, site: string): Promise<Icon> {
  assertMay(scope, "links.read");
  if (!isOrigin(site)) return { png: undefined, later: false };
  const known = kept.get(site);
  if (known && known.until >= Date.now()) return { png: known.png, later: false };
  const current = running.get(site);
  if (current !== undefined) return await current;
  if (running.size >= iconsAtOnceMax) return { png: undefined, later: true };
  // Its place is taken before anything is waited for: a list asks for fifty at the same moment.
  const asking = ask(scope, site).finally(() => running.delete(site));
  running.set(site, asking);
  return await asking;
}

function isOrigin(site: string): boolean {
  if (!URL.canParse(site)) return false;
  const { protocol, origin } = new URL(site);
  return /^https?:$/.test(protocol) && origin === site;
}

async function ask(scope: WorkspaceScope, site: string): Promise<Icon> {
  const attempt = await tryLimit("iconPerWorkspace", scope.workspaceId);
  if (!attempt.ok) return { png: undefined, later: true };
  const png = await find(site);
  kept.set(site, { png, until: Date.now() + (png ? foundMs : missingMs) });
  return { png, later: false };
}

async function find(site: string): Promise<Buffer | undefined> {
  const usual = await pictureAt(`${site}/favicon.ico`);
  if (usual) return usual;
  for (const url of await iconsOfPage(`${site}/`)) {
    const png = await pictureAt(url);
    if (png) return png;
  }
  return undefined;
}

async function pictureAt(url: string): Promise<Buffer | undefined> {
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
  return fetched.ok ? await shrink(Buffer.concat(parts)) : undefined;
}

/** Undefined: no picture that is read here. */
async function shrink(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    const { png } = await readLogo(pngIn(bytes) ?? bytes);
    return await sharp(png)
      .resize(sidePixels, sidePixels, { fit: "inside", withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    return undefined; // a picture of a kind that is refused, or none
  }
}

const icoHead = Buffer.from([0, 0, 1, 0]);
const pngHead = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const icoHeadBytes = 6;
const icoEntryBytes = 16;

/** The largest PNG in an ICO file, which is a list of pictures. Undefined: it has none, or is no ICO. */
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

async function iconsOfPage(url: string): Promise<string[]> {
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
  return page?.icons ?? [];
}
