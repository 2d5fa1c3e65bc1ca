"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { dismissDomainAlarm } from "#lib/analytics/domain-health";
import * as verbs from "#lib/links/domains";
import { editDomainBody, hostForm, transferDomainBody } from "#lib/links/domains/schema";
import { AppError } from "#lib/platform/errors";
import { appNames } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { action, formOf, nameArgument } from "../../../action.ts";
import { refusedField } from "../../../refusals.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { changeAction, formAction } from "../../workspace-action.ts";
import { withFormErrors } from "../listing.ts";

const invalidHost = { fields: { slug: "hostInvalid" } } as const;

export const addDomainAction = formAction(
  [formOf(hostForm, { slug: "hostInvalid" })],
  async (scope, fields): Promise<FormAnswer<string>> => {
    const answer = await withFormErrors(() => verbs.createDomain(scope, fields), {
      unprocessable_entity: invalidHost,
      conflict: { fields: { slug: await takenMessage(scope, fields.slug) } },
      forbidden: { form: scope.permissions.has("domains.write") ? "planFull" : "forbidden" },
    });
    return answer.ok ? { ok: true, done: answer.done.slug } : answer;
  },
);

async function takenMessage(
  scope: WorkspaceScope,
  host: string,
): Promise<"hostHere" | "hostTaken"> {
  const own = await verbs.getDomain(scope, host).catch(() => undefined); // not found, or an invalid name
  return own ? "hostHere" : "hostTaken";
}

export const renameDomainAction = formAction(
  [nameArgument, formOf(hostForm, { slug: "hostInvalid" })],
  async (scope, host, fields): Promise<FormAnswer<string>> => {
    const answer = await withFormErrors(() => verbs.editDomain(scope, host, fields), {
      unprocessable_entity: invalidHost,
      conflict: { fields: { slug: await takenMessage(scope, fields.slug) } },
    });
    return answer.ok ? { ok: true, done: answer.done.slug } : answer;
  },
);

const addresses = ["placeholder", "notFoundUrl", "expiredUrl"] as const;
const addressForm = editDomainBody.pick({ placeholder: true, notFoundUrl: true, expiredUrl: true });

/** The URLs for visits of the root, of missing links and of expired links. An empty field means no redirect. */
export const saveAddressesAction = action(
  [
    nameArgument,
    nameArgument,
    formOf(addressForm, {
      placeholder: "urlInvalid",
      notFoundUrl: "urlInvalid",
      expiredUrl: "urlInvalid",
    }),
  ],
  async (slug, host, fields): Promise<FormAnswer<null>> => {
    const body = Object.fromEntries(addresses.map((name) => [name, fields[name] ?? null]));
    return await runInWorkspace(slug, async (scope) => {
      try {
        await verbs.editDomain(scope, host, addressForm.parse(body));
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
export const saveIcpAction = changeAction(
  [nameArgument, formOf(icpForm, { icp: "icpInvalid" })],
  (scope, host, fields) => verbs.editDomain(scope, host, { icp: fields.icp ?? null }),
);

const switches = z.strictObject({
  archived: z.boolean().optional(),
  caseInsensitive: z.boolean().optional(),
  trackConversion: z.boolean().optional(),
  primary: z.boolean().optional(),
});

export const switchDomainAction = action(
  [nameArgument, nameArgument, switches],
  async (slug, host, { primary, ...body }): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const answer = await withFormErrors(
        async () => {
          if (primary === true) await verbs.makePrimary(scope, host);
          if (primary === false) await verbs.dropPrimary(scope, host);
          if (Object.keys(body).length > 0) await verbs.editDomain(scope, host, body);
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

export const transferDomainAction = formAction(
  [nameArgument, formOf(z.object(transferDomainBody.shape), { workspaceId: "notFound" })],
  async (scope, host, fields): Promise<FormAnswer<null>> => {
    const { workspaceId } = fields;
    const answer = await withFormErrors(
      async () => void (await verbs.transferDomain(scope, host, workspaceId)),
      { conflict: { form: "transferConflict" }, forbidden: { form: "transferForbidden" } },
    );
    return answer.ok ? { ok: true, done: null } : answer;
  },
);

export const deleteDomainAction = changeAction([nameArgument], (scope, host) =>
  verbs.deleteDomain(scope, host, "delete"),
);

export const dismissAlarmAction = changeAction(
  [nameArgument, z.enum(appNames)],
  dismissDomainAlarm,
);
