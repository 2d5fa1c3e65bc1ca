/** Stored URL Links of mini programs. Phones without one get the plain URL Scheme. */
import type { InsideApps } from "#lib/links/link-cache/schema";
import { CoherentCache, type LoadedValue } from "#lib/platform/cache-sync";
import { query } from "#lib/platform/postgres";
import { parseUrlLinkEntry, urlLinkEntry } from "#lib/platform/wechat/schema";

interface UrlLink {
  url: string;
  expiresAt: number;
}

const urlLinksMax = 20_000;
const entryAgeMaxMs = 60_000;
/** A visitor may open the link some time after the visit. */
const expiryMarginMs = 600_000;
/** Parameter cq: developers.weixin.qq.com/miniprogram/dev/framework/open-ability/url-link */
const cqCharsMax = 256;

const urlLinks = new CoherentCache<UrlLink>({
  name: "url_links",
  entriesMax: () => urlLinksMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadUrlLinks,
  mayServeStale: () => true,
});

interface UrlLinkRow {
  workspace_pk: number;
  app_id: string;
  path: string;
  url_link: string;
  expires_at: Date;
  revision: number;
}

async function loadUrlLinks(entries: string[]): Promise<Map<string, LoadedValue<UrlLink>>> {
  const wanted = entries.map(parseUrlLinkEntry);
  const rows = await query<UrlLinkRow>({
    name: "redirect-url-links",
    // Answered by wechat_account_app and wechat_page_path.
    text: `
      SELECT account.workspace_pk, account.app_id, page.path, page.url_link, page.expires_at, page.revision
      FROM unnest($1::int[], $2::text[], $3::text[]) AS wanted (workspace_pk, app_id, path)
      JOIN wechat_account AS account
        ON account.workspace_pk = wanted.workspace_pk
        AND account.app_id = wanted.app_id
      JOIN wechat_page AS page ON page.account_pk = account.pk AND page.path = wanted.path
      WHERE page.url_link IS NOT NULL`,
    values: [
      wanted.map(({ workspacePk }) => workspacePk),
      wanted.map(({ appId }) => appId),
      wanted.map(({ path }) => path),
    ],
  });
  return new Map(
    rows.map(({ workspace_pk, app_id, path, url_link, expires_at, revision }) => [
      urlLinkEntry(workspace_pk, app_id, path),
      { revision, value: { url: url_link, expiresAt: expires_at.getTime() } },
    ]),
  );
}

/** The URL Link with the query of this link. Undefined: there is none, or it is too long. */
export async function findUrlLink(
  workspacePk: number,
  { appId = "", path = "", query: own = "" }: InsideApps,
  now: number,
): Promise<string | undefined> {
  if (own.length > cqCharsMax) return undefined;
  const found = await urlLinks.find(urlLinkEntry(workspacePk, appId, path));
  if (!found || found.expiresAt - expiryMarginMs < now) return undefined;
  return own === "" ? found.url : `${found.url}?cq=${encodeURIComponent(own)}`;
}
