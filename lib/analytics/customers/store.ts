import { type Connection, sql } from "#lib/platform/postgres";
import type { PeopleKeys } from "#lib/tenancy/people-keys";

export interface CustomerRow {
  pk: number;
  id: string;
  key_version: number;
  sealed: Buffer;
  country: string | null;
  sales: number;
  sale_amount: number;
  first_sale_at: Date | null;
  created_at: Date;
  link_pk: number | null;
  click_at: Date;
  click_id: string;
}

export const customerColumns = `customer.pk, customer.id, customer.key_version, customer.sealed, customer.country,
  customer.sales, customer.sale_amount, customer.first_sale_at, customer.created_at, customer.link_pk,
  customer.click_at, customer.click_id`;

/** Answered by customer_external. */
export async function lockByHash(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<CustomerRow | undefined> {
  const text = `
    SELECT ${customerColumns}
    FROM customer
    WHERE workspace_pk = $1
      AND external_hash = $2
    FOR UPDATE`;
  return await tx.one<CustomerRow>({ text, values: [workspacePk, hash] });
}

/** Answered by customer_id_key. */
export async function lockById(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<CustomerRow | undefined> {
  const text = `
    SELECT ${customerColumns}
    FROM customer
    WHERE workspace_pk = $1
      AND id = $2
    FOR UPDATE`;
  return await tx.one<CustomerRow>({ text, values: [workspacePk, id] });
}

interface ReplacedCustomer {
  pk: number;
  hash: Buffer;
  version: number;
  sealed: Buffer;
  country: string | null;
}

/** The customer is locked. Throws if another one has the external id. */
export async function replaceCustomer(tx: Connection, customer: ReplacedCustomer): Promise<void> {
  const { pk, hash, version, sealed, country } = customer;
  // Answered by customer_pkey.
  await tx.query(sql`
    UPDATE customer
    SET external_hash = ${hash},
      key_version = ${version},
      sealed = ${sealed},
      country = ${country}
    WHERE pk = ${pk}`);
}

const uniqueViolation = "23505";

export function isExternalIdTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

interface NewCustomer {
  id: string;
  workspacePk: number;
  hash: Buffer;
  version: number;
  sealed: Buffer;
  linkPk: number;
  clickAt: Date;
  clickId: string;
  country: string | null;
  now: Date;
}

export async function insertCustomer(tx: Connection, customer: NewCustomer): Promise<void> {
  const { id, workspacePk, hash, version, sealed, linkPk, clickAt, clickId, country, now } =
    customer;
  await tx.query(sql`
    INSERT INTO customer (
      id, workspace_pk, external_hash, key_version, sealed, link_pk, click_at, click_id, country, created_at
    )
    VALUES (
      ${id}, ${workspacePk}, ${hash}, ${version}, ${sealed}, ${linkPk}, ${clickAt}, ${clickId}, ${country}, ${now}
    )
    ON CONFLICT (workspace_pk, external_hash) DO NOTHING`);
}

export async function addSale(
  tx: Connection,
  pk: number,
  amount: number,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    UPDATE customer
    SET sales = sales + 1,
      sale_amount = sale_amount + ${amount},
      first_sale_at = coalesce(first_sale_at, ${now})
    WHERE pk = ${pk}`);
}

/** Keeps their events. Returns the digest of the external id. */
export async function deleteCustomer(
  tx: Connection,
  { workspacePk, id }: { workspacePk: number; id: string },
): Promise<Buffer | undefined> {
  // Answered by customer_id_key.
  const [row] = await tx.query<{ pk: number; external_hash: Buffer }>(sql`
    DELETE FROM customer
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    RETURNING pk, external_hash`);
  if (!row) return undefined;
  // Answered by conversion_customer.
  await tx.query(sql`
    UPDATE analytics.conversion
    SET customer_pk = NULL,
      metadata = NULL,
      key_version = NULL
    WHERE customer_pk = ${row.pk}`);
  return row.external_hash;
}

export interface CustomerFacts {
  externalId: string;
  name: string | null;
  email: string | null;
  avatar: string | null;
}

export function sealFacts(keys: PeopleKeys, facts: CustomerFacts, id: string): Buffer {
  const { externalId, name, email, avatar } = facts;
  return keys.seal(JSON.stringify([externalId, name, email, avatar]), id);
}

export function unsealFacts(keys: PeopleKeys, { id, key_version: version, sealed }: CustomerRow) {
  const [externalId, name, email, avatar]: [string, string | null, string | null, string | null] =
    JSON.parse(keys.unseal({ version, sealed }, id));
  return { externalId, name, email, avatar } satisfies CustomerFacts;
}
