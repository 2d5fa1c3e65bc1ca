"use server";

import {
  checkGateway,
  createGateway,
  deleteGateway,
  editGateway,
} from "#lib/outreach/gateway-accounts";
import { createGatewayBody, editGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { formArgument, nameArgument, readBy } from "../../../../action.ts";
import { changeAction, readAction } from "../../../workspace-action.ts";
import { readGateway } from "./read-gateway.ts";

export const createGatewayAction = changeAction(
  [readBy(formArgument(), (data) => readGateway(data, createGatewayBody))],
  createGateway,
);

export const editGatewayAction = changeAction(
  [nameArgument, readBy(formArgument(), (data) => readGateway(data, editGatewayBody))],
  editGateway,
);

export const renewReceiptUrlAction = changeAction([nameArgument], (scope, id) =>
  editGateway(scope, id, { newReceiptUrl: true }),
);

export const checkGatewayAction = readAction([nameArgument], checkGateway);

export const deleteGatewayAction = changeAction([nameArgument], deleteGateway);
