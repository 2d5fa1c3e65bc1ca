"use server";

import type { FormAnswer } from "#components/forms/form";
import { camelOf } from "#lib/basics/variants/schema";
import { getRequestOrigin } from "#lib/identity/auth";
import { findPersonZone } from "#lib/platform/messages";
import { withOrigin } from "#lib/tenancy/audit";
import { createWorkspace, restoreWorkspace } from "#lib/tenancy/workspaces";
import { createWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { action, formArgument, nameArgument } from "../../action.ts";
import { parseForm } from "../../form-data.ts";
import { requireOwner, runAsUser } from "../access.ts";

export const createWorkspaceAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string>> => {
    const user = await requireOwner();
    const parsed = parseForm(data, createWorkspaceBody, {
      name: "workspaceName",
      slug: "workspaceSlug",
    });
    if (!parsed.ok) return parsed;
    // Reports use the creator’s time zone until someone chooses another one.
    const zone = await findPersonZone();
    const make = () => createWorkspace(user.id, { ...parsed.value, zone });
    const outcome = await withOrigin(await getRequestOrigin(), make);
    if (outcome.ok) return { ok: true, done: outcome.workspace.slug };
    if (outcome.code === "closed") return { ok: false, form: "workspacesClosed" };
    if (outcome.code === "too_many") {
      const hours = Math.min(24, Math.ceil(outcome.retryAfterSeconds / 3_600));
      return { ok: false, form: "workspacesTooMany", values: { max: outcome.max, hours } };
    }
    return { ok: false, fields: { slug: camelOf(outcome.code) } };
  },
);

export const restoreWorkspaceAction = action(
  [nameArgument],
  async (id): Promise<FormAnswer<string>> => {
    return await runAsUser(async (user) => {
      const slug = await restoreWorkspace(user.id, id);
      return { ok: true, done: `/app/${slug}/links` };
    });
  },
);
