/** A link of any workspace by its name. */
import { parseId } from "#lib/basics/ids";
import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import { rootKey } from "#lib/links/keys";
import { foldKey } from "#lib/links/link-cache";
import { pkOfCode } from "#lib/platform/codes";
import { query } from "#lib/platform/postgres";

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
  if (uuid) return await findLinkById(uuid);
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

export async function findLinkById(uuid: string): Promise<NamedLink | undefined> {
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
