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
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";
import { readAccount } from "./read-account.ts";
import { readDomain } from "./read-domain.ts";

export const createWechatAccountAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<null>> => {
    const given = readAccount(data, createWechatAccountBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      await createWechatAccount(scope, given.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const editWechatAccountAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, id, data): Promise<FormAnswer<null>> => {
    const given = readAccount(data, editWechatAccountBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      await editWechatAccount(scope, id, given.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const checkWechatAccountAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<WechatAccount>> => {
    return await runInWorkspace(slug, async (scope) => {
      const done = await checkWechatAccount(scope, id);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);

export const deleteWechatAccountAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteWechatAccount(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const putWechatDomainAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<null>> => {
    const given = readDomain(data);
    if (!given.ok) return given;
    const { host, body } = given.value;
    return await runInWorkspace(slug, async (scope) => {
      await putWechatDomain(scope, host, body);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const deleteWechatDomainAction = action(
  [nameArgument, nameArgument],
  async (slug, host): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteWechatDomain(scope, host);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
