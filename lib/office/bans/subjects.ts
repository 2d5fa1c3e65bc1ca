/** Finds what administrators name when they ban something. */

import { domainToASCII } from "node:url";
import { parseId, presentId } from "#lib/basics/ids";
import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import { shortUrl } from "#lib/links/hosts";
import { rootKey } from "#lib/links/keys";
import { foldKey } from "#lib/links/link-cache";
import { pkOfCode } from "#lib/platform/codes";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { BanKind } from "#lib/tenancy/bans/schema";

export interface NamedLink {
  pk: number;
  id: string;
  workspacePk: number;
  domainPk: number;
  slug: string;
  key: string;
}

/** Finds a link by its id or short URL, or by the URL of its preview (with a plus). */
export async function findNamedLink(text: string): Promise<NamedLink | undefined> {
  const uuid = parseId("link", text.trim());
  if (uuid) return await findById(uuid);
  const named = readShortUrl(text);
  if (!named) return undefined;
  const found = await findByName(named.host, named.key);
  return (
    found ?? (named.key.endsWith("+") ? findByName(named.host, named.key.slice(0, -1)) : found)
  );
}

function readShortUrl(text: string): { host: string; key: string } | undefined {
  const bare = bareUrl(text.trim());
  const url = parseUrl(`http://${bare}`);
  if (!url) return undefined;
  const { hostname, pathname } = url;
  try {
    const key = decodeURIComponent(pathname.slice(1)).normalize("NFC");
    const host = hostname.replace(/\.$/, "");
    return key.includes("\0") ? undefined : { host, key: key === "" ? rootKey : key };
  } catch {
    return undefined; // an invalid escape
  }
}

const linkColumns = `link.pk, link.id, link.workspace_pk AS "workspacePk", link.domain_pk AS "domainPk",
  domain.slug, link.key`;

async function findById(uuid: string): Promise<NamedLink | undefined> {
  return await query.one<NamedLink>({
    // Answered by link_workspace, one lookup per workspace: an index on the id alone would cost every create.
    text: `
      SELECT ${linkColumns}
      FROM (
        SELECT pk, id, workspace_pk, domain_pk, key
        FROM link
        WHERE id = $1
          AND workspace_pk = ANY(ARRAY(SELECT pk FROM workspace))
        LIMIT 1
      ) AS link
      JOIN domain ON domain.pk = link.domain_pk`,
    values: [uuid],
  });
}

async function findByName(host: string, key: string): Promise<NamedLink | undefined> {
  const named = await query<{ pk: number; domain_pk: number; key: string }>({
    // Answered by domain_serving and alias_pkey; a generated code is its pk.
    text: `
      WITH wanted AS (
        SELECT pk, CASE WHEN case_insensitive THEN $3 ELSE $2 END AS key
        FROM domain
        WHERE slug = $1
          AND verified_at IS NOT NULL
      )
      SELECT $4::bigint AS pk, wanted.pk AS domain_pk, wanted.key
      FROM wanted
      UNION
      SELECT alias.link_pk, wanted.pk, wanted.key
      FROM wanted
      JOIN alias
        ON alias.domain_pk = wanted.pk
        AND alias.key = wanted.key`,
    values: [host, key, foldKey(key), pkOfCode(key) ?? -1],
  });
  const links = await query<NamedLink>({
    // Answered by link_pkey and domain_pkey.
    text: `
      SELECT ${linkColumns}
      FROM link
      JOIN domain ON domain.pk = link.domain_pk
      WHERE link.pk = ANY($1::bigint[])
        AND link.workspace_pk IS NOT NULL
        AND link.url <> ''`,
    values: [named.map(({ pk }) => pk)],
  });
  return links.find((link) =>
    named.some(
      (one) => one.pk === link.pk && one.domain_pk === link.domainPk && one.key === link.key,
    ),
  );
}

export interface BanSubject {
  subject: string;
  name: string;
  workspacePk: number | null;
  userPk: number | null;
  link: NamedLink | null;
}

/** Throws if the subject does not exist, or must not be banned. */
export async function getSubject(kind: BanKind, text: string): Promise<BanSubject> {
  const found = await finders[kind](text.trim());
  if (found) return found;
  throw new AppError("not_found", missing[kind], { problem: `ban_${kind}` });
}

const missing: Record<BanKind, string> = {
  link: "Link not found. Enter its short URL or ID.",
  host: "This isn’t a host. Enter one such as example.com.",
  workspace: "Workspace not found. Enter its slug or ID.",
  user: "Person not found. Enter their email address or ID.",
};

const finders: Record<BanKind, (text: string) => Promise<BanSubject | undefined>> = {
  link: async (text) => {
    const link = await findNamedLink(text);
    if (!link) return undefined;
    const { id, slug, key, workspacePk } = link;
    const subject = presentId("link", id);
    return { subject, name: shortUrl(slug, key), workspacePk, userPk: null, link };
  },
  host: (text) => Promise.resolve(hostSubject(text)),
  workspace: findWorkspace,
  user: findUser,
};

function parseHost(text: string): string | undefined {
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^\*\./, "");
  const host = parseUrl(`http://${bare}`)?.hostname.replace(/\.$/, "") ?? "";
  return domainToASCII(host) !== "" && host.includes(".") ? host : undefined;
}

function hostSubject(text: string): BanSubject | undefined {
  const host = parseHost(text);
  if (!host) return undefined;
  assertForeign(host);
  return { subject: host, name: host, workspacePk: null, userPk: null, link: null };
}

/** Links to the instance are refused anyway, and a ban of its host would stop its own pages. */
function assertForeign(host: string): void {
  const { FUXI_URL, FUXI_SHORT_HOST } = config();
  const own = [new URL(FUXI_URL).hostname, FUXI_SHORT_HOST ?? ""];
  if (!own.some((one) => one === host || one.endsWith(`.${host}`))) return;
  throw new AppError(
    "unprocessable_entity",
    `${host} is a host of this instance. Ban a link or a workspace instead.`,
    { problem: "ban_own_host", params: { host } },
  );
}

async function findWorkspace(text: string): Promise<BanSubject | undefined> {
  // Answered by workspace_id_key and workspace_slug_key.
  const [row] = await query<{ pk: number; id: string; name: string }>(sql`
    SELECT pk, id, name
    FROM workspace
    WHERE id = ${text}
      OR slug = ${text.toLowerCase()}`);
  if (!row) return undefined;
  return { subject: row.id, name: row.name, workspacePk: row.pk, userPk: null, link: null };
}

async function findUser(text: string): Promise<BanSubject | undefined> {
  // Answered by app_user_id_key and app_user_email_key.
  const [row] = await query<{ pk: number; id: string; email: string; operator: boolean }>(sql`
    SELECT pk, id, email, operator
    FROM app_user
    WHERE id = ${text}
      OR email = ${text.toLowerCase()}`);
  if (!row) return undefined;
  // defence: operators-not-banned
  if (row.operator) {
    throw new AppError(
      "unprocessable_entity",
      "This person is an administrator. Remove them as an administrator before you ban them.",
      { problem: "ban_administrator" },
    );
  }
  return { subject: row.id, name: row.email, workspacePk: null, userPk: row.pk, link: null };
}
