/**
 * The domains that official accounts have as JS-secure domains or authorized callback domains, and
 * the signatures of their pages.
 *
 * A signature lets a page use the SDK of WeChat under exactly one URL. It is only made for the URL
 * of this request, on a host of a workspace that has the account, while answering a link of the
 * same workspace. Nothing waits for WeChat: jobs fetch the tickets, and without one there is no
 * signature.
 */
import type { IncomingMessage } from "node:http";
import { hostEntry, hostOfEntry } from "#lib/links/link-cache";
import { CoherentCache, type LoadedValue } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { query } from "#lib/platform/postgres";
import { unseal } from "#lib/platform/sealing";
import { digestOf, peekTicket, secretPurpose } from "#lib/platform/wechat";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import { canonicalHost, originOf } from "#lib/redirect/requests";
import { type PageSignature, signPage } from "./wechat-pages.ts";

interface Site {
  workspacePk: number;
  accountPk: number;
  appId: string;
  /** WeChat may send visitors back to this host with a code. */
  isCallback: boolean;
  /** Identifies the account, to find its ticket. */
  digest: string;
}

interface LinkOwner {
  workspacePk: number;
}

export interface SignedPage extends PageSignature {
  appId: string;
}

const sitesMax = 20_000;
const entryAgeMaxMs = 60_000;

/** Most hosts have none. That is cached as well. */
const sites = new CoherentCache<Site>({
  name: "wechat_sites",
  entriesMax: () => sitesMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadSites,
  mayServeStale: () => true,
});

interface SiteRow {
  slug: string;
  revision: number;
  workspace_pk: number;
  id: string;
  account_pk: number;
  app_id: string;
  sealed: Buffer;
  callback: boolean;
  user_problem: WechatProblem | null;
}

/** With these problems, nothing that visitors share can be read until somebody corrects the account. */
const lastingProblems: readonly WechatProblem[] = ["secret", "appId", "permission"];

async function loadSites(entries: string[]): Promise<Map<string, LoadedValue<Site>>> {
  const rows = await query<SiteRow>({
    name: "redirect-wechat-sites",
    // Answered by domain_serving, wechat_domain_domain and wechat_account_pkey.
    // defence: wechat-signature-of-workspace
    // defence: wechat-account-of-signed-page
    text: `
      SELECT domain.slug, domain.revision, domain.workspace_pk, account.id, account.pk AS account_pk, account.app_id,
        account.sealed, wechat.callback, account.user_problem
      FROM domain
      JOIN wechat_domain AS wechat
        ON wechat.domain_pk = domain.pk
        AND wechat.host = domain.slug
        AND wechat.workspace_pk = domain.workspace_pk
      JOIN wechat_account AS account
        ON account.pk = wechat.account_pk
        AND account.workspace_pk = domain.workspace_pk
        AND account.kind = 'officialAccount'
      WHERE domain.slug = ANY($1::text[])
        AND domain.verified_at IS NOT NULL`,
    values: [entries.map(hostOfEntry)],
  });
  const found = new Map<string, LoadedValue<Site>>();
  for (const row of rows) {
    const value = openSite(row);
    if (value) found.set(hostEntry(row.slug), { revision: row.revision, value });
  }
  return found;
}

function openSite(row: SiteRow): Site | undefined {
  const { workspace_pk: workspacePk, id, account_pk: accountPk, app_id: appId, sealed } = row;
  const { callback, user_problem: problem } = row;
  // defence: wechat-callback-domains
  const isCallback = callback && !(problem !== null && lastingProblems.includes(problem));
  try {
    const secret = unseal(secretPurpose, sealed, id).toString();
    return { workspacePk, accountPk, appId, isCallback, digest: digestOf({ appId, secret }) };
  } catch (error) {
    log.warn({ event: "wechat-site.sealed", account: id, error: String(error) });
    return undefined;
  }
}

/** The signature of this page. Undefined: the page shows no button of WeChat. */
export async function signRequest(
  req: IncomingMessage,
  owner: LinkOwner,
  now: number,
): Promise<SignedPage | undefined> {
  const url = urlOf(req);
  const site = url === undefined ? undefined : await findSite(req, owner);
  if (url === undefined || !site) return undefined;
  const ticket = await peekTicket(site.digest).catch(warnUnavailable);
  return ticket === undefined
    ? undefined
    : { appId: site.appId, ...signPage({ ticket, url, now }) };
}

async function findSite(req: IncomingMessage, { workspacePk }: LinkOwner) {
  const host = canonicalHost(req.headers.host ?? "");
  const site = await sites.find(hostEntry(host)).catch(warnUnavailable);
  return site?.workspacePk === workspacePk ? site : undefined;
}

/** Pages and forms also work without WeChat. */
function warnUnavailable(error: unknown): undefined {
  log.warn({ event: "wechat-site.unavailable", error: String(error) });
}

export async function findCallbackSite(
  req: IncomingMessage,
  owner: LinkOwner,
): Promise<{ accountPk: number; appId: string } | undefined> {
  const site = urlOf(req) === undefined ? undefined : await findSite(req, owner);
  return site?.isCallback ? { accountPk: site.accountPk, appId: site.appId } : undefined;
}

/** The URL of a request as WeChat sees it. Undefined on a port where another server may answer. */
function urlOf(req: IncomingMessage): string | undefined {
  const path = req.url ?? "";
  const given = /:(\d+)$/.exec(req.headers.host ?? "")?.[1] ?? "";
  const isOwnPort = given === "" || given === new URL(config().FUXI_URL).port;
  // defence: wechat-own-port
  if (!isOwnPort || !/^\/[\x21\x22\x24-\x7e]*$/.test(path)) return undefined;
  return `${originOf(req)}${path}`;
}
