/** The codes of several links as a ZIP archive. */
import { getLink } from "#lib/links/reading";
import { ZipWriter } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { fileNamesOf } from "./file-names.ts";
import { type CodeLook, drawCode, lookOf } from "./link-codes.ts";
import type { CodeArchive } from "./schema.ts";

interface CodeArchiveFile {
  name: string;
  type: string;
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

interface ArchivedCode {
  shortLink: string;
  look: CodeLook;
}

/** Per process. */
export const archivesAtOnceMax = 2;
const retrySeconds = 30;
let running = 0;

/** Throws not_found before the first byte is sent. */
export async function openCodeArchive(
  scope: WorkspaceScope,
  { linkIds, template, ...options }: CodeArchive,
): Promise<CodeArchiveFile> {
  const codes = await codesOf(scope, linkIds, template);
  // Errors are thrown here: once the archive has started, none can be sent.
  for (const { shortLink, look } of longestOf(codes)) await drawCode(shortLink, look, options);
  if (running >= archivesAtOnceMax) {
    const message = `Too many archives are being downloaded (limit: ${archivesAtOnceMax}). Try again in a moment.`;
    throw new AppError("rate_limit_exceeded", message, retrySeconds);
  }
  running += 1;
  const send: CodeArchiveFile["send"] = async (write) => {
    try {
      const zip = new ZipWriter(write);
      const names = fileNamesOf(codes.map(({ shortLink }) => shortLink));
      for (const [at, { shortLink, look }] of codes.entries()) {
        const { body } = await drawCode(shortLink, look, options);
        await zip.add(`${names[at]}.${options.format}`, (put) => put(body));
      }
      await zip.end();
    } finally {
      running -= 1;
    }
  };
  return { name: "fuxi-qr-codes.zip", type: "application/zip", send };
}

/** Links with the same design share one look, so that its logo is in memory once. */
async function codesOf(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  template: string | undefined,
): Promise<ArchivedCode[]> {
  const looks = new Map<string, CodeLook>();
  const codes: ArchivedCode[] = [];
  for (const id of new Set(linkIds)) {
    const { link } = await getLink(scope, id);
    const key = template === undefined ? JSON.stringify(link.qr ?? null) : "";
    const look = looks.get(key) ?? (await lookOf(scope, link, { template }));
    looks.set(key, look);
    codes.push({ shortLink: link.shortLink, look });
  }
  return codes;
}

/** Of each look the code with the longest address, which is the first that cannot be drawn. */
function longestOf(codes: readonly ArchivedCode[]): ArchivedCode[] {
  const longest = new Map<CodeLook, ArchivedCode>();
  for (const code of codes) {
    const known = longest.get(code.look);
    if (!known || code.shortLink.length > known.shortLink.length) longest.set(code.look, code);
  }
  return [...longest.values()];
}
