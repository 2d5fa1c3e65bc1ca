/** The domains and folders of an API key. Rooms that find domains, folders and links ask here. */

export interface ReachedDomain {
  readonly pk: number;
  readonly slug: string;
}

/** Null: everything that the owner may see. Deleted objects are no longer in reach. */
export interface Reach {
  readonly domains: readonly ReachedDomain[] | null;
  readonly folderPks: readonly number[] | null;
}

export const everything: Reach = Object.freeze({ domains: null, folderPks: null });

export interface LinkPlace {
  readonly domain_pk: number;
  readonly folder_pk: number | null;
}

interface Limited {
  readonly reach: Reach;
}

export function isLimited({ reach }: Limited): boolean {
  return reach.domains !== null || reach.folderPks !== null;
}

export function reachesDomain({ reach }: Limited, domainPk: number): boolean {
  // defence: key-domains
  return reach.domains === null || reach.domains.some(({ pk }) => pk === domainPk);
}

/** Null means outside of all folders, where a limited key reaches nothing. */
export function reachesFolder({ reach }: Limited, folderPk: number | null): boolean {
  return reach.folderPks === null || (folderPk !== null && reach.folderPks.includes(folderPk));
}

export function outOfReach(scope: Limited, place: LinkPlace): string | undefined {
  if (!reachesDomain(scope, place.domain_pk)) {
    return "domain: This API key is limited to some domains. Use one of them.";
  }
  // defence: key-writes-links-in-reach
  if (reachesFolder(scope, place.folder_pk)) return undefined;
  return "folderId: This API key is limited to some folders. Use the id of one of them.";
}

export interface ReachRow {
  domains: ReachedDomain[] | null;
  folderPks: number[] | null;
}

export function reachOf({ domains, folderPks }: ReachRow): Reach {
  return domains === null && folderPks === null ? everything : { domains, folderPks };
}

/** Ids stay, so that a deletion never widens a key. Uses domain_id_key and folder_id_key. */
// defence: deleted-limit-keeps-key-limited
export const reachColumns = `
  CASE WHEN cardinality(api_key.domain_ids) > 0 THEN (
    SELECT coalesce(jsonb_agg(jsonb_build_object('pk', domain.pk, 'slug', domain.slug)
      ORDER BY array_position(api_key.domain_ids, domain.id)), '[]')
    FROM domain
    WHERE domain.id = ANY(api_key.domain_ids)
  ) END AS "domains",
  CASE WHEN cardinality(api_key.folder_ids) > 0 THEN ARRAY(
    SELECT folder.pk
    FROM folder
    WHERE folder.id = ANY(api_key.folder_ids)
      AND folder.workspace_pk = api_key.workspace_pk
  ) END AS "folderPks"`;
