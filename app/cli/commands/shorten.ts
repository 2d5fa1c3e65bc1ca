/** Creating links: one, or a list of URLs from the arguments or from another program. */
import { CliFailure } from "../failures.ts";
import { folderIdOf, momentOf } from "../links.ts";
import { type Session, take, writeJson, writeLine, writeNote } from "../session.ts";
import { plain, readLines } from "../terminal.ts";

export interface ShortenOptions {
  slug?: string;
  domain?: string;
  tag?: string[];
  folder?: string;
  title?: string;
  expires?: string;
  comments?: string;
  maxClicks?: number;
}

/** URLs per request. A longer list is sent in several requests. */
const batchMax = 1_000;

export async function shorten(
  session: Session,
  given: readonly string[],
  options: ShortenOptions,
): Promise<void> {
  const urls = given.length > 0 && given[0] !== "-" ? [...given] : await readUrls(session);
  const fields = await fieldsOf(session, options);
  const [only] = urls;
  if (only === undefined) throw new CliFailure("usage", "Enter at least one URL.");
  if (urls.length === 1) return await shortenOne(session, { url: only, ...fields });
  if (options.slug !== undefined) {
    throw new CliFailure("usage", "--slug is for one URL. Remove it, or shorten one URL.");
  }
  await shortenMany(
    session,
    urls.map((url) => ({ url, ...fields })),
  );
}

async function readUrls({ terminal }: Session): Promise<string[]> {
  if (terminal.stdin.isTTY) throw new CliFailure("usage", "Enter at least one URL.");
  return await readLines(terminal);
}

async function fieldsOf(session: Session, options: ShortenOptions) {
  const { slug, domain, tag, folder, title, expires, comments, maxClicks } = options;
  return {
    ...(slug !== undefined && { key: slug }),
    ...(domain !== undefined && { domain }),
    ...(tag && { tagNames: tag }),
    ...(folder !== undefined && { folderId: await folderIdOf(session, folder) }),
    ...(title !== undefined && { title }),
    ...(expires !== undefined && { expiresAt: momentOf(expires, new Date()) }),
    ...(comments !== undefined && { comments }),
    ...(maxClicks !== undefined && { maxClicks }),
  };
}

type NewLink = { url: string } & Awaited<ReturnType<typeof fieldsOf>>;

async function shortenOne(session: Session, body: NewLink): Promise<void> {
  const link = await take(session.fuxi.POST("/api/links", { body }));
  if (session.json) writeJson(session, link);
  else writeLine(session, link.shortLink);
}

async function shortenMany(session: Session, rows: readonly NewLink[]): Promise<void> {
  const results: unknown[] = [];
  let refused = 0;
  for (let at = 0; at < rows.length; at += batchMax) {
    const body = rows.slice(at, at + batchMax);
    const answered = await take(session.fuxi.POST("/api/links/bulk", { body }));
    if (!Array.isArray(answered)) throw new Error("The request was not answered at once.");
    results.push(...answered);
    refused += answered.filter((row) => "error" in row).length;
    for (const row of answered) reportRow(session, row);
  }
  if (session.json) writeJson(session, results);
  if (refused === 0) return;
  const exit = refused === rows.length ? "refused" : "partial";
  throw new CliFailure(exit, `${refused} of ${rows.length} URLs were refused.`);
}

function reportRow(
  session: Session,
  row: { shortLink: string } | { link?: unknown; error: string },
): void {
  if ("error" in row) {
    const { url } = Object(row.link);
    writeNote(session, `${plain(String(url))}: ${plain(row.error)}`);
  } else if (!session.json) writeLine(session, row.shortLink);
}
