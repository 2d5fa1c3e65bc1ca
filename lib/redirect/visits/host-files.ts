/** Files that programs request from every host. They are not links, and requests for them are not visits. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { daySeconds } from "#lib/basics/time/schema";
import { hostEntry, hostOfEntry } from "#lib/links/link-cache";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { type Connection, query } from "#lib/platform/postgres";
import { openCache } from "#lib/redirect/targets";
import { sendPage } from "#lib/redirect/visitor-pages";

/** Each has two texts of up to 100,000 characters. */
const appFilesMax = 500;

/** Separate from the hosts, because they are large and rarely requested. */
const appFiles = openCache<AppFiles>({
  name: "app_files",
  entriesMax: appFilesMax,
  load: loadAppFiles,
});

// If a crawler may not fetch a link, it never reads the noindex header and shows the bare URL.
const robots = Buffer.from("User-agent: *\nAllow: /\n");
const appFileSeconds = 300;

const appFilePaths = new Map<string, "android" | "apple">([
  ["/.well-known/assetlinks.json", "android"],
  ["/.well-known/apple-app-site-association", "apple"],
  ["/apple-app-site-association", "apple"],
]);

export function isHostFile(path: string): boolean {
  return path === "/robots.txt" || path === "/favicon.ico" || appFilePaths.has(path);
}

export async function answerHostFile(
  req: IncomingMessage,
  res: ServerResponse,
  host: string,
  path: string,
): Promise<void> {
  const appFile = appFilePaths.get(path);
  if (req.method === "POST") refuseMethod(req, res);
  else if (appFile) {
    const text = (await appFiles.find(hostEntry(host)))?.[appFile];
    if (text === undefined) sendPage(req, res, 404, "missing");
    else sendFile(req, res, "application/json", Buffer.from(text), appFileSeconds);
  } else if (path === "/robots.txt") {
    sendFile(req, res, "text/plain; charset=utf-8", robots, daySeconds);
  } else {
    // Without an icon, browsers use their default and do not ask again that day.
    res.writeHead(204, ["Cache-Control", `public, max-age=${daySeconds}`]).end();
  }
}

const wechatFile = /^\/MP_verify_[A-Za-z0-9]{16}\.txt$/;

/** The file by which WeChat verifies this host. False: the request may be for a link. */
export async function answerWechatFile(
  req: IncomingMessage,
  res: ServerResponse,
  host: string,
  path: string,
): Promise<boolean> {
  if (!wechatFile.test(path)) return false;
  const file = (await appFiles.find(hostEntry(host)))?.wechat;
  // defence: wechat-file-of-host
  if (!file || path !== `/${file.name}`) return false;
  if (req.method === "POST") refuseMethod(req, res);
  else sendFile(req, res, "text/plain; charset=utf-8", Buffer.from(file.content), appFileSeconds);
  return true;
}

function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  type: string,
  file: Buffer,
  maxAgeSeconds: number,
): void {
  res.writeHead(200, [
    "Content-Type",
    type,
    "Content-Length",
    String(file.length),
    "Cache-Control",
    `public, max-age=${maxAgeSeconds}`,
    "X-Content-Type-Options",
    "nosniff",
  ]);
  res.end(req.method === "HEAD" ? undefined : file);
}

/** The files by which mobile apps and WeChat check that a domain belongs to its owner. */
interface AppFiles {
  android: string | undefined;
  apple: string | undefined;
  wechat: { name: string; content: string } | undefined;
}

interface AppFilesRow {
  slug: string;
  revision: number;
  asset_links: string | null;
  apple_app_site_association: string | null;
  file_name: string | null;
  file_content: string | null;
}

async function loadAppFiles(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<AppFiles>>> {
  const rows = await query.on(on).query<AppFilesRow>({
    name: "redirect-app-files",
    // Answered by domain_serving, which contains only verified ones, and wechat_domain_domain.
    text: `
    SELECT domain.slug, domain.revision, domain.asset_links, domain.apple_app_site_association,
      wechat.file_name, wechat.file_content
    FROM domain
    LEFT JOIN wechat_domain AS wechat
      ON wechat.domain_pk = domain.pk
      AND wechat.host = domain.slug
      AND wechat.workspace_pk = domain.workspace_pk
    WHERE domain.slug = ANY($1::text[])
      AND domain.verified_at IS NOT NULL`,
    values: [entries.map(hostOfEntry)],
  });
  return new Map(
    rows.map((row) => [
      hostEntry(row.slug),
      {
        revision: row.revision,
        value: {
          android: row.asset_links ?? undefined,
          apple: row.apple_app_site_association ?? undefined,
          wechat: wechatFileOf(row),
        },
      },
    ]),
  );
}

function wechatFileOf({ file_name: name, file_content: content }: AppFilesRow): AppFiles["wechat"] {
  return name !== null && content !== null ? { name, content } : undefined;
}

const allow = ["Allow", "GET, HEAD, OPTIONS"];

/** Answers methods that no link supports, without a lookup. False: a link may support it. */
export function answerMethod(req: IncomingMessage, res: ServerResponse): boolean {
  const { method } = req;
  if (method === "OPTIONS") {
    // No CORS headers: a script of another site may send people here, but not read a destination.
    res.writeHead(204, [...allow, "Cache-Control", "no-store"]).end();
    return true;
  }
  // Links with a password get a form by POST.
  if (method === "GET" || method === "HEAD" || method === "POST") return false;
  refuseMethod(req, res);
  return true;
}

export function refuseMethod(req: IncomingMessage, res: ServerResponse): void {
  sendPage(req, res, 405, "refused", { head: allow });
}
