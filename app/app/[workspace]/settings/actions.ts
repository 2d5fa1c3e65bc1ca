"use server";

import { z } from "zod";
import { countriesOf } from "#components/forms/country-codes.ts";
import type { FormAnswer } from "#components/forms/form";
import { camelOf } from "#lib/basics/variants/schema";
import { dropPrimary, makePrimary } from "#lib/links/domains";
import { findDomain, listDomains } from "#lib/links/hosts";
import { deleteWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import {
  codeFields,
  editWorkspaceBody,
  retirementFields,
  sessionFields,
} from "#lib/tenancy/workspaces/schema";
import { action, formOf, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { answerAction } from "../../workspace-action.ts";

const numberOrNever = z.string().transform((text) => (text === "never" ? null : Number(text)));

/** The form always sends all fields, so that an emptied field is refused instead of ignored. */
const form = editWorkspaceBody
  .pick({ name: true, slug: true, zone: true })
  .required()
  .extend({
    lifetimeSeconds: numberOrNever.pipe(editWorkspaceBody.required().shape.lifetimeSeconds),
    reuseSeconds: numberOrNever.pipe(editWorkspaceBody.required().shape.reuseSeconds),
    repeatSeconds: numberOrNever.pipe(editWorkspaceBody.required().shape.repeatSeconds),
    contactDays: numberOrNever.pipe(editWorkspaceBody.required().shape.contactDays),
    // Browsers don’t send a switch that is off.
    forwardQuery: z
      .string()
      .optional()
      .transform((text) => text !== undefined),
  });

/** Returns the slug, which may have changed the page's URL. */
export const saveWorkspaceAction = answerAction(
  [
    formOf(form, {
      name: "workspaceName",
      slug: "workspaceSlug",
      zone: "zoneUnknown",
      lifetimeSeconds: "unknown",
      reuseSeconds: "unknown",
      repeatSeconds: "unknown",
      contactDays: "unknown",
    }),
  ],
  async (scope, fields): Promise<FormAnswer<string>> => {
    const outcome = await updateWorkspace(scope, fields);
    if (!outcome.ok) return { ok: false, fields: { slug: camelOf(outcome.code) } };
    return { ok: true, done: outcome.workspace.slug };
  },
);

const ownVisitsForm = z.object({
  ownNetworks: z
    .string()
    .default("")
    .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ""))
    .pipe(editWorkspaceBody.required().shape.ownNetworks),
});

export const saveOwnVisitsAction = answerAction(
  [formOf(ownVisitsForm, { ownNetworks: "ownNetworks" })],
  async (scope, fields): Promise<FormAnswer<null>> => {
    await updateWorkspace(scope, fields);
    return { ok: true, done: null };
  },
);

const codesForm = z.object({
  codeCountries: z.string().default("").transform(countriesOf).pipe(codeFields.codeCountries),
  codesPerDay: z.string().transform(Number).pipe(codeFields.codesPerDay),
  // Browsers don’t send a switch that is off.
  codesStopped: z
    .string()
    .optional()
    .transform((text) => text !== undefined),
});

export const saveCodesAction = answerAction(
  [formOf(codesForm, { codeCountries: "codeCountries", codesPerDay: "codesPerDay" })],
  async (scope, fields): Promise<FormAnswer<null>> => {
    await updateWorkspace(scope, fields);
    return { ok: true, done: null };
  },
);

/** The option `inherited` means what the plan or the instance says. */
const days = z
  .string()
  .transform((text) => (text === "inherited" ? null : Number(text)))
  .pipe(retirementFields.retireApiDays);

const retirementForm = z.object({
  retireApiDays: days,
  retirePeopleDays: days,
  retireFrom: z.enum(["visit", "creation"]),
});

export const saveRetirementAction = answerAction(
  [
    formOf(retirementForm, {
      retireApiDays: "unknown",
      retirePeopleDays: "unknown",
      retireFrom: "unknown",
    }),
  ],
  async (scope, fields): Promise<FormAnswer<null>> => {
    const { retireFrom, ...periods } = fields;
    await updateWorkspace(scope, { ...periods, retireFromCreation: retireFrom === "creation" });
    return { ok: true, done: null };
  },
);

const minutesOrHours = z.string().transform((text) => (text === "inherited" ? null : Number(text)));

const sessionForm = z.object({
  sessionIdleMinutes: minutesOrHours.pipe(sessionFields.sessionIdleMinutes),
  sessionHours: minutesOrHours.pipe(sessionFields.sessionHours),
});

export const saveSessionsAction = answerAction(
  [formOf(sessionForm, { sessionIdleMinutes: "unknown", sessionHours: "unknown" })],
  async (scope, fields): Promise<FormAnswer<null>> => {
    await updateWorkspace(scope, fields);
    return { ok: true, done: null };
  },
);

/** Choosing the instance's own domain means having no primary domain. */
export const chooseDomainAction = action(
  [nameArgument, nameArgument],
  async (slug, host): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const domains = await listDomains(scope);
      const chosen = domains.find((one) => one.slug === host);
      if (!chosen) return { ok: false, form: "domainUnknown" };
      const before = await findDomain(scope, undefined);
      if (chosen.workspacePk !== undefined) await makePrimary(scope, chosen.slug);
      else if (before?.workspacePk !== undefined) await dropPrimary(scope, before.slug);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const deleteWorkspaceAction = answerAction([], async (scope): Promise<FormAnswer<null>> => {
  await deleteWorkspace(scope);
  return { ok: true, done: null };
});
