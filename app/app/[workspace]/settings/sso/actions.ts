"use server";

import { z } from "zod";
import {
  addSsoDomain,
  removeProvider,
  removeSsoDomain,
  saveAccess,
  saveProvider,
  verifySsoDomain,
} from "#lib/identity/sso-providers";
import { accessBody, emailDomain, providerBody } from "#lib/identity/sso-providers/schema";
import { formArgument, formOf, nameArgument, readBy } from "../../../../action.ts";
import { byField, parseBody } from "../../../../form-data.ts";
import { changeAction } from "../../../workspace-action.ts";

export const saveProviderAction = changeAction(
  [
    formOf(providerBody, {
      name: "ssoField",
      issuer: "ssoIssuer",
      clientId: "ssoField",
      secret: "ssoField",
      scope: "ssoField",
      groupsClaim: "ssoField",
    }),
  ],
  saveProvider,
);

export const removeProviderAction = changeAction([], removeProvider);

export const saveAccessAction = changeAction([readBy(formArgument(), readAccess)], saveAccess);

/** Rows of groups have fields with the same number in their names. Empty rows are left out. */
function readAccess(data: FormData) {
  const groupRoles = [...data].flatMap(([field, group]) => {
    const number = /^group(\d+)$/.exec(field)?.[1];
    const isGiven = number !== undefined && String(group).trim() !== "";
    return isGiven ? [{ group, role: data.get(`role${number}`) }] : [];
  });
  const body = {
    required: data.get("required") === "on",
    joins: data.get("joins") === "on",
    pausesKeys: data.get("pausesKeys") === "on",
    defaultRole: data.get("defaultRole"),
    groupRoles,
  };
  return parseBody(body, accessBody, byField({ groupRoles: "ssoGroups", defaultRole: "unknown" }));
}

export const addSsoDomainAction = changeAction(
  [formOf(z.object({ host: emailDomain }), { host: "ssoDomain" })],
  async (scope, { host }) => addSsoDomain(scope, host),
);

export const verifySsoDomainAction = changeAction([nameArgument], verifySsoDomain);

export const removeSsoDomainAction = changeAction([nameArgument], removeSsoDomain);
