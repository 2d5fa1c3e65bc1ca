/** The codes of several links as a ZIP archive. */

import { bareUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";
import { getLinks } from "#lib/links/reading";
import { type SentFile, ZipWriter } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type CodeLook, drawCode, lookOf } from "./link-codes.ts";
import { archivesAtOnceMax, type CodeArchive } from "./schema.ts";

export interface LinkCode {
  link: Link;
  look: CodeLook;
}

const retrySeconds = 30;
let running = 0;

export async function openCodeArchive(
  scope: WorkspaceScope,
  { linkIds, template, ...options }: CodeArchive,
): Promise<SentFile> {
  const codes = await looksOf(scope, linkIds, template);
  // Draw the longest codes now: once the archive has started, no error can be sent.
  for (const { link, look } of longestOf(codes)) await drawCode(link.shortLink, look, options);
  const send: SentFile["send"] = async (write) => {
    const zip = new ZipWriter(write);
    const names = fileNamesOf(codes.map(({ link }) => link.shortLink));
    for (const [at, { link, look }] of codes.entries()) {
      const { body } = await drawCode(link.shortLink, look, options);
      await zip.add(`${names[at]}.${options.format}`, (put) => put(body));
    }
    await zip.end();
  };
  return withArchiveSlot({ name: "fuxi-qr-codes.zip", type: "application/zip", send });
}

/** Takes one of the few slots until the file is sent, or throws a 429. */
export function withArchiveSlot(file: SentFile): SentFile {
  if (running >= archivesAtOnceMax) {
    const message = `Too many archives are being downloaded (limit: ${archivesAtOnceMax}). Try again in a moment.`;
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: retrySeconds });
  }
  running += 1;
  const send: SentFile["send"] = async (write) => {
    try {
      await file.send(write);
    } finally {
      running -= 1;
    }
  };
  return { ...file, send };
}

/** Links of the same design share a look, so that its logo is in memory once. */
export async function looksOf(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  template: string | undefined,
): Promise<LinkCode[]> {
  const looks = new Map<string, CodeLook>();
  const codes: LinkCode[] = [];
  for (const link of await getLinks(scope, linkIds)) {
    const key = template === undefined ? JSON.stringify(link.qr ?? null) : "";
    const look = looks.get(key) ?? (await lookOf(scope, link, { template }));
    looks.set(key, look);
    codes.push({ link, look });
  }
  return codes;
}

export function longestOf(codes: readonly LinkCode[]): LinkCode[] {
  const longest = new Map<CodeLook, LinkCode>();
  for (const code of codes) {
    const known = longest.get(code.look);
    if (!known || lengthOf(code) > lengthOf(known)) longest.set(code.look, code);
  }
  return [...longest.values()];
}

function lengthOf({ link }: LinkCode): number {
  return new URL(link.shortLink).href.length;
}

function fileNamesOf(shortLinks: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return shortLinks.map((shortLink) => {
    const name = fileNameOf(shortLink);
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Replaces special characters by their code points, so that names of different links differ. */
function fileNameOf(shortLink: string): string {
  const name = bareUrl(shortLink).replace(/[^\p{L}\p{N}.-]/gu, escapeSign);
  return name.replace(/^\.+/, "");
}

function escapeSign(sign: string): string {
  return sign === "/" ? "_" : `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}
