"use server";

import type { FormAnswer } from "#components/forms/form";
import {
  checkGateway,
  createGateway,
  deleteGateway,
  editGateway,
} from "#lib/outreach/gateway-accounts";
import { createGatewayBody, editGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import type { GatewayCheck } from "#lib/outreach/gateways/schema";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";
import { readGateway } from "./read-gateway.ts";

export const createGatewayAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<null>> => {
    const given = readGateway(data, createGatewayBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      await createGateway(scope, given.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const editGatewayAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, id, data): Promise<FormAnswer<null>> => {
    const given = readGateway(data, editGatewayBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      await editGateway(scope, id, given.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const renewReceiptUrlAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await editGateway(scope, id, { newReceiptUrl: true });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const checkGatewayAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<GatewayCheck>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: await checkGateway(scope, id) };
    });
  },
);

export const deleteGatewayAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteGateway(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
