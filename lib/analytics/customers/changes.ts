/** Edits and erases customers. */

import { AppError } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { noteErasure } from "#lib/tenancy/erasures";
import { holdVersion, withPeopleKeys } from "#lib/tenancy/people-keys";
import { getCustomer, getRow } from "./reading.ts";
import type { EditCustomer, ListedCustomer } from "./schema.ts";
import {
  type CustomerFacts,
  deleteCustomer,
  isExternalIdTaken,
  lockByHash,
  lockById,
  replaceCustomer,
  sealFacts,
  unsealFacts,
} from "./store.ts";

export async function editCustomer(
  scope: WorkspaceScope,
  id: string,
  body: EditCustomer,
): Promise<ListedCustomer> {
  assertMay(scope, "conversions.write");
  assertMay(scope, "people.view");
  const { workspacePk, actor } = scope;
  const found = await getRow(scope, id);
  await withPeopleKeys(workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      const row = await lockById(tx, workspacePk, found.id);
      if (!row) throw new AppError("not_found", "Customer not found.");
      const facts = changedFacts(unsealFacts(keys, row), body);
      await replaceCustomer(tx, {
        pk: row.pk,
        hash: keys.hash(facts.externalId),
        version: keys.version,
        sealed: sealFacts(keys, facts, row.id),
        country: body.country ?? row.country,
      });
      const changed = editable.filter((name) => body[name] !== undefined);
      const details = Object.fromEntries(changed.map((name) => [name, true]));
      const action = "customer.edit" as const;
      await recordAudit(tx, [{ workspacePk, actor, action, subject: row.id, details }]);
    }),
  ).catch(takenExternalId);
  return await getCustomer(scope, found.id);
}

const editable = ["externalId", "name", "email", "avatar", "country"] as const;

function changedFacts(known: CustomerFacts, given: EditCustomer): CustomerFacts {
  const chosen = (before: string | null, after: string | null | undefined) =>
    after === undefined ? before : after || null;
  return {
    externalId: given.externalId ?? known.externalId,
    name: chosen(known.name, given.name),
    email: chosen(known.email, given.email),
    avatar: chosen(known.avatar, given.avatar),
  };
}

function takenExternalId(error: unknown): never {
  if (!isExternalIdTaken(error)) throw error;
  const message = "externalId: Another customer has this id. Use another one.";
  throw new AppError("conflict", message);
}

/** Leads and sales stay counted. Notes the digest, so that a restored backup is erased again. */
export async function eraseCustomer(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "conversions.write");
  assertMay(scope, "people.view");
  const row = await getRow(scope, id);
  const { workspacePk, workspaceId, actor } = scope;
  await transaction(async (tx) => {
    const hash = await deleteCustomer(tx, { workspacePk, id: row.id });
    if (!hash) return;
    await recordAudit(tx, [{ workspacePk, actor, action: "customer.erase", subject: row.id }]);
    // Before the commit: otherwise a restore could undo an erasure that was not noted.
    const customer = hash.toString("hex");
    await noteErasure({ workspaceId, customer, at: new Date().toISOString() });
  });
  return { id: row.id };
}

export async function repeatErasure(workspacePk: number, hash: Buffer): Promise<boolean> {
  return await transaction(async (tx) => {
    const row = await lockByHash(tx, workspacePk, hash);
    if (!row) return false;
    await deleteCustomer(tx, { workspacePk, id: row.id });
    const subject = row.id;
    await recordAudit(tx, [{ workspacePk, actor: "system", action: "customer.erase", subject }]);
    return true;
  });
}
