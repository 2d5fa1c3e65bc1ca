"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { dismissDomainAlarm } from "#lib/analytics/domain-health";
import {
  createDomain,
  deleteDomain,
  dropPrimary,
  editDomain,
  getDomain,
  makePrimary,
  transferDomain,
} from "#lib/links/domains";
import { editDomainBody, hostForm, transferDomainBody } from "#lib/links/domains/schema";
import { AppError } from "#lib/platform/errors";
import { appNames } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { refusedField } from "../../../refusals.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { withFormErrors } from "../listing.ts";

const invalidHost = { fields: { slug: "hostInvalid" } } as const;

/** Adds a domain. Returns its host in the stored form. */
export const addDomainAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<string>> => {
    const parsed = parseForm(data, hostForm, { slug: "hostInvalid" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const answer = await withFormErrors(() => createDomain(scope, parsed.value), {
        unprocessable_entity: invalidHost,
        conflict: { fields: { slug: await takenMessage(scope, parsed.value.slug) } },
        forbidden: { form: scope.permissions.has("domains.write") ? "planFull" : "forbidden" },
      });
      refreshPages(slug);
      return answer.ok ? { ok: true, done: answer.done.slug } : answer;
    });
  },
);

/** Which message explains that a host is taken. */
async function takenMessage(
  scope: WorkspaceScope,
  host: string,
): Promise<"hostHere" | "hostTaken"> {
  const own = await getDomain(scope, host).catch(() => undefined); // not found, or an invalid name
  return own ? "hostHere" : "hostTaken";
}

/** Renames a domain. Returns the new name. */
export const renameDomainAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, host, data): Promise<FormAnswer<string>> => {
    const parsed = parseForm(data, hostForm, { slug: "hostInvalid" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const answer = await withFormErrors(() => editDomain(scope, host, parsed.value), {
        unprocessable_entity: invalidHost,
        conflict: { fields: { slug: await takenMessage(scope, parsed.value.slug) } },
      });
      refreshPages(slug);
      return answer.ok ? { ok: true, done: answer.done.slug } : answer;
    });
  },
);

const addresses = ["placeholder", "notFoundUrl", "expiredUrl"] as const;
const addressForm = editDomainBody.pick({ placeholder: true, notFoundUrl: true, expiredUrl: true });

/** The URLs for visits of the root, of missing and of expired links. An empty field has no redirect. */
export const saveAddressesAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, host, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, addressForm, {
      placeholder: "urlInvalid",
      notFoundUrl: "urlInvalid",
      expiredUrl: "urlInvalid",
    });
    if (!parsed.ok) return parsed;
    const body = Object.fromEntries(addresses.map((name) => [name, parsed.value[name] ?? null]));
    return await runInWorkspace(slug, async (scope) => {
      try {
        await editDomain(scope, host, addressForm.parse(body));
      } catch (error) {
        const field = addresses.find(
          (name) => error instanceof AppError && error.message.startsWith(`${name}:`),
        );
        if (!field) throw error;
        const problem = error instanceof AppError ? error.problem : undefined;
        if (problem?.code === "destination_refused") return refusedField(field, problem.params);
        return { ok: false, fields: { [field]: "urlLoops" } };
      }
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

const icpForm = editDomainBody.pick({ icp: true });

/** The ICP number. An empty field removes it. */
export const saveIcpAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, host, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, icpForm, { icp: "icpInvalid" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      await editDomain(scope, host, { icp: parsed.value.icp ?? null });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

const switches = z.strictObject({
  archived: z.boolean().optional(),
  caseInsensitive: z.boolean().optional(),
  trackConversion: z.boolean().optional(),
  primary: z.boolean().optional(),
});

/** Sets the on/off settings. */
export const switchDomainAction = action(
  [nameArgument, nameArgument, switches],
  async (slug, host, { primary, ...body }): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const answer = await withFormErrors(
        async () => {
          if (primary === true) await makePrimary(scope, host);
          if (primary === false) await dropPrimary(scope, host);
          if (Object.keys(body).length > 0) await editDomain(scope, host, body);
          return null;
        },
        {
          conflict: { form: "domainUnfoldable" },
          unprocessable_entity: { form: "domainUnverified" },
        },
      );
      refreshPages(slug);
      return answer;
    });
  },
);

export const transferDomainAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, host, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, z.object(transferDomainBody.shape), { workspaceId: "notFound" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const { workspaceId } = parsed.value;
      const answer = await withFormErrors(
        async () => void (await transferDomain(scope, host, workspaceId)),
        {
          conflict: { form: "transferConflict" },
          forbidden: { form: "transferForbidden" },
        },
      );
      refreshPages(slug);
      return answer.ok ? { ok: true, done: null } : answer;
    });
  },
);

/** Deletes a domain with its links. */
export const deleteDomainAction = action(
  [nameArgument, nameArgument],
  async (slug, host): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteDomain(scope, host, "delete");
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const dismissAlarmAction = action(
  [nameArgument, nameArgument, z.enum(appNames)],
  async (slug, host, app): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await dismissDomainAlarm(scope, host, app);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
