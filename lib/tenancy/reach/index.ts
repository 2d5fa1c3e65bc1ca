/**
 * The domains and folders that an API key is limited to. Rooms that find domains, folders and links ask here, and
 * nowhere else; what they leave out is missing for the key.
 */

export interface ReachedDomain {
  readonly pk: number;
  readonly slug: string;
}

/** Null: all of the workspace that its owner may see. A list whose objects were all deleted is empty, and reaches none. */
export interface Reach {
  readonly domains: readonly ReachedDomain[] | null;
  readonly folderPks: readonly number[] | null;
}

export const everything: Reach = Object.freeze({ domains: null, folderPks: null });

/** The columns of a link that its access depends on. */
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

/** Null: outside of all folders, where a key for some folders reaches nothing. */
export function reachesFolder({ reach }: Limited, folderPk: number | null): boolean {
  return reach.folderPks === null || (folderPk !== null && reach.folderPks.includes(folderPk));
}

/** Why a key may neither create a link in a place nor move one there; undefined: it may. */
export function outOfReach(scope: Limited, place: LinkPlace): string | undefined {
  if (!reachesDomain(scope, place.domain_pk)) {
    return "domain: This API key is limited to some domains. Use one of them.";
  }
  // defence: key-writes-links-in-reach
  if (reachesFolder(scope, place.folder_pk)) return undefined;
  return "folderId: This API key is limited to some folders. Use the id of one of them.";
}

/** As a query selects it with `reachColumns`. */
export interface ReachRow {
  domains: ReachedDomain[] | null;
  folderPks: number[] | null;
}

export function reachOf({ domains, folderPks }: ReachRow): Reach {
  return domains === null && folderPks === null ? everything : { domains, folderPks };
}

/**
 * The reach of a row `api_key`. Domains and folders are stored as ids, so that deleting one never widens a key. Answered
 * by domain_id_key and folder_id_key; most keys are unlimited and need neither.
 */
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
