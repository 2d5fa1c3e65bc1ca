"use server";

import type { ZodType, z } from "zod";
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
import { type NewWechatDomain, putWechatDomainBody } from "#lib/audience/wechat-domains/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { formArgument, nameArgument, readBy } from "../../../../action.ts";
import { byField, type ParsedForm, parseBody } from "../../../../form-data.ts";
import { changeAction, formAction } from "../../../workspace-action.ts";

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

/** The message for each field of the form that the API refuses. */
const messages = { name: "gatewayName", appId: "wechatAppId", secret: "wechatSecret" } as const;

function readAccount<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  // When an account is edited, an empty secret means no change.
  const given = [...data].filter(([name, value]) => !(name === "secret" && value === ""));
  return parseBody(Object.fromEntries(given), schema, byField(messages));
}

const fields: Readonly<Record<string, [field: string, message: ErrorMessageKey]>> = {
  "file.name": ["fileName", "wechatFileName"],
  "file.content": ["fileContent", "wechatFileContent"],
};

function readDomain(data: FormData): ParsedForm<{ host: string; body: NewWechatDomain }> {
  const [name, content] = [data.get("fileName") ?? "", data.get("fileContent") ?? ""];
  const file = name === "" && content === "" ? null : { name, content };
  const host = data.get("slug");
  if (typeof host !== "string" || host === "") {
    return { ok: false, fields: { slug: "wechatDomain" } };
  }
  const callback = data.get("callback") === "1";
  const accountId = data.get("accountId");
  const parsed = putWechatDomainBody.safeParse({ accountId, file, callback });
  if (parsed.success) return { ok: true, value: { host, body: parsed.data } };
  const issues = parsed.error.issues.map(
    ({ path }) => fields[path.join(".")] ?? ["slug", "unknown"],
  );
  return { ok: false, fields: Object.fromEntries(issues) };
}
