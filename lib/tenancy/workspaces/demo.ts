/**
 * The demo workspace: created at the first start, before any account. The owner of the instance becomes its owner too.
 * Their own links never go there: they create a workspace of their own first, and can delete the demo at any time.
 */

import { newId } from "#lib/basics/ids";
import { transaction } from "#lib/platform/postgres";
import { scopeOfSystem, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { planOf } from "#lib/tenancy/plans";
import { insertDemoOwner, insertWorkspace } from "./store.ts";

const demoSlug = "demo";

/** Creates the demo workspace; undefined when there is a workspace of that name. */
export function makeDemoWorkspace(name: string): Promise<WorkspaceScope | undefined> {
  return transaction(async (tx) => {
    const row = await insertWorkspace(tx, newId("ws"), { name, slug: demoSlug, demo: true });
    if (!row) return undefined;
    const { pk, id, slug, zone, createdAt } = row;
    await recordAudit(tx, [
      { workspacePk: pk, actor: "system", action: "workspace.create", subject: id },
    ]);
    return scopeOfSystem({
      workspacePk: pk,
      workspaceId: id,
      slug,
      zone,
      plan: planOf(row.plan),
      limits: null,
      reuseSeconds: null,
      lifetimeSeconds: null,
      createdAt,
      banned: false,
    });
  });
}

/** Gives an unowned demo workspace to a person. Safe to call twice. */
export async function claimDemo(userId: string): Promise<void> {
  await insertDemoOwner(userId);
}
