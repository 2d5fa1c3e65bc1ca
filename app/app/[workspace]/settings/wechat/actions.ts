"use server";

import type { FormAnswer } from "#components/forms/form";
import {
  checkWechatAccount,
  createWechatAccount,
  deleteWechatAccount,
  editWechatAccount,
} from "#lib/audience/wechat-accounts";
import {
  createWechatAccountBody,
  editWechatAccountBody,
  type WechatAccount,
} from "#lib/audience/wechat-accounts/schema";
import { deleteWechatDomain, putWechatDomain } from "#lib/audience/wechat-domains";
import { formArgument, nameArgument, readBy } from "../../../../action.ts";
import { changeAction, formAction } from "../../../workspace-action.ts";
import { readAccount } from "./read-account.ts";
import { readDomain } from "./read-domain.ts";

export const createWechatAccountAction = changeAction(
  [readBy(formArgument(), (data) => readAccount(data, createWechatAccountBody))],
  createWechatAccount,
);

export const editWechatAccountAction = changeAction(
  [nameArgument, readBy(formArgument(), (data) => readAccount(data, editWechatAccountBody))],
  editWechatAccount,
);

export const checkWechatAccountAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<WechatAccount>> => {
    const done = await checkWechatAccount(scope, id);
    return { ok: true, done };
  },
);

export const deleteWechatAccountAction = changeAction([nameArgument], deleteWechatAccount);

export const putWechatDomainAction = changeAction(
  [readBy(formArgument(), readDomain)],
  async (scope, given) => {
    const { host, body } = given;
    await putWechatDomain(scope, host, body);
  },
);

export const deleteWechatDomainAction = changeAction([nameArgument], deleteWechatDomain);
