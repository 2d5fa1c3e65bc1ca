import { type Connection, query, sql } from "#lib/platform/postgres";
import type { AccessBody, ProviderBody } from "./schema.ts";

export interface ProviderRow extends AccessBody {
  pk: number;
  id: string;
  workspacePk: number;
  workspaceSlug: string;
  workspaceName: string;
  name: string;
  issuer: string;
  clientId: string;
  sealed: Buffer;
  scope: string;
  groupsClaim: string;
}

const columns = `
    sso_provider.pk,
    sso_provider.id,
    sso_provider.workspace_pk AS "workspacePk",
    workspace.slug AS "workspaceSlug",
    workspace.name AS "workspaceName",
    sso_provider.name,
    issuer,
    client_id AS "clientId",
    sealed,
    scope,
    groups_claim AS "groupsClaim",
    default_role AS "defaultRole",
    group_roles AS "groupRoles",
    joins,
    required,
    pauses_keys AS "pausesKeys"`;

const fromProvider = `
    FROM sso_provider
    JOIN workspace ON workspace.pk = sso_provider.workspace_pk`;

/** In a transaction, locks the row. */
export async function findProviderRow(
  workspacePk: number,
  tx?: Connection,
): Promise<ProviderRow | undefined> {
  // Answered by sso_provider_workspace_pk_key.
  const text = `
    SELECT ${columns} ${fromProvider}
    WHERE sso_provider.workspace_pk = $1
    ${tx ? "FOR UPDATE OF sso_provider" : ""}`;
  return await query.on(tx).one<ProviderRow>({ text, values: [workspacePk] });
}

export async function findProviderById(id: string): Promise<ProviderRow | undefined> {
  // Answered by sso_provider_id_key.
  const text = `
    SELECT ${columns} ${fromProvider}
    WHERE sso_provider.id = $1
      AND workspace.deleted_at IS NULL`;
  return await query.one<ProviderRow>({ text, values: [id] });
}

export async function findProviderByPk(pk: number): Promise<ProviderRow | undefined> {
  // Answered by sso_provider_pkey.
  const text = `SELECT ${columns} ${fromProvider} WHERE sso_provider.pk = $1`;
  return await query.one<ProviderRow>({ text, values: [pk] });
}

/** For people who enter an address or the URL of a workspace: only providers that may sign somebody in. */
export async function findProviderFor(
  host: string | undefined,
  slug: string | undefined,
): Promise<ProviderRow | undefined> {
  // Answered by sso_domain_proven and workspace_slug_key.
  const text = `
    SELECT ${columns} ${fromProvider}
    WHERE workspace.deleted_at IS NULL
      AND EXISTS (
        SELECT
        FROM sso_domain
        WHERE provider_pk = sso_provider.pk
          AND proven_at IS NOT NULL
          AND ($1::text IS NULL OR host = $1::text)
      )
      AND ($2::text IS NULL OR workspace.slug = $2::text)
      AND ($1::text IS NOT NULL OR $2::text IS NOT NULL)`;
  return await query.one<ProviderRow>({ text, values: [host ?? null, slug ?? null] });
}

type ProviderFields = Omit<ProviderBody, "secret"> & { sealed: Buffer };

export async function upsertProvider(
  tx: Connection,
  { id, workspacePk }: { id: string; workspacePk: number },
  { name, issuer, clientId, scope, groupsClaim, sealed }: ProviderFields,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO sso_provider
      (id, workspace_pk, name, issuer, client_id, sealed, scope, groups_claim, default_role)
    VALUES (${id}, ${workspacePk}, ${name}, ${issuer}, ${clientId}, ${sealed}, ${scope},
      ${groupsClaim}, 'member')
    ON CONFLICT (workspace_pk) DO UPDATE
    SET name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
      sealed = excluded.sealed, scope = excluded.scope, groups_claim = excluded.groups_claim`);
}

export async function updateAccess(
  tx: Connection,
  pk: number,
  { required, joins, pausesKeys, defaultRole, groupRoles }: AccessBody,
): Promise<void> {
  await tx.query(sql`
    UPDATE sso_provider
    SET required = ${required}, joins = ${joins}, pauses_keys = ${pausesKeys},
      default_role = ${defaultRole}, group_roles = ${JSON.stringify(groupRoles)}
    WHERE pk = ${pk}`);
}

/** Its domains and sessions go with it. */
export async function deleteProvider(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM sso_provider WHERE pk = ${pk}`);
}

export interface DomainRow {
  providerPk: number;
  host: string;
  token: string;
  provenAt: Date | null;
}

export async function listDomainRows(providerPk: number): Promise<DomainRow[]> {
  // Answered by sso_domain_pkey.
  return await query<DomainRow>(sql`
    SELECT provider_pk AS "providerPk", host, token, proven_at AS "provenAt"
    FROM sso_domain
    WHERE provider_pk = ${providerPk}
    ORDER BY host`);
}

export async function insertDomain(
  tx: Connection,
  providerPk: number,
  host: string,
  token: string,
): Promise<boolean> {
  return await tx.any(sql`
    INSERT INTO sso_domain (provider_pk, host, token)
    VALUES (${providerPk}, ${host}, ${token})
    ON CONFLICT DO NOTHING
    RETURNING host`);
}

/** Who has proven the domain. Locks the row. */
export async function lockProvenDomain(
  tx: Connection,
  host: string,
): Promise<(DomainRow & { workspacePk: number }) | undefined> {
  // Answered by sso_domain_proven.
  return await tx.one<DomainRow & { workspacePk: number }>(sql`
    SELECT sso_domain.provider_pk AS "providerPk", sso_domain.host, sso_domain.token,
      sso_domain.proven_at AS "provenAt", sso_provider.workspace_pk AS "workspacePk"
    FROM sso_domain
    JOIN sso_provider ON sso_provider.pk = sso_domain.provider_pk
    WHERE sso_domain.host = ${host}
      AND sso_domain.proven_at IS NOT NULL
    FOR UPDATE OF sso_domain`);
}

export async function writeProof(
  tx: Connection,
  providerPk: number,
  host: string,
  isProven: boolean,
): Promise<void> {
  // Answered by sso_domain_pkey.
  await tx.query(sql`
    UPDATE sso_domain
    SET proven_at = CASE WHEN ${isProven} THEN now() END
    WHERE provider_pk = ${providerPk}
      AND host = ${host}`);
}

export async function deleteDomain(
  tx: Connection,
  providerPk: number,
  host: string,
): Promise<boolean> {
  return await tx.any(sql`
    DELETE FROM sso_domain
    WHERE provider_pk = ${providerPk}
      AND host = ${host}
    RETURNING host`);
}

export async function isDomainProven(providerPk: number, host: string): Promise<boolean> {
  // Answered by sso_domain_pkey.
  return await query.any(
    // defence: sso-domain-of-provider
    sql`
      SELECT
      FROM sso_domain
      WHERE provider_pk = ${providerPk}
        AND host = ${host}
        AND proven_at IS NOT NULL`,
  );
}

export function anyProvenDomain(): Promise<boolean> {
  // Answered by sso_domain_proven.
  return query.any(sql`SELECT FROM sso_domain WHERE proven_at IS NOT NULL LIMIT 1`);
}
