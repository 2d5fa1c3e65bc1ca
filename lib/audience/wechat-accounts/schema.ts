import { z } from "zod";
import { nameOf } from "#lib/basics/fields/schema";
import { wechatProblems } from "#lib/platform/wechat/schema";

const nameCharsMax = 100;

export const wechatKinds = ["miniProgram", "officialAccount"] as const;
export type WechatKind = (typeof wechatKinds)[number];

const name = nameOf(nameCharsMax);

const secret = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z]{32}$/, "Enter the AppSecret: 32 letters and digits.")
  .describe("The AppSecret. It’s encrypted, and never shown again.");

export const createWechatAccountBody = z.strictObject({
  kind: z
    .enum(wechatKinds)
    .default("miniProgram")
    .describe("`officialAccount`: a verified service account, for pages inside WeChat."),
  name,
  appId: z
    .string()
    .trim()
    .regex(/^wx[0-9a-f]{16}$/, "Enter the AppID: wx and 16 characters (0-9, a-f)."),
  secret,
});
export type NewWechatAccount = z.output<typeof createWechatAccountBody>;

// Without defaults, because an omitted field does not change.
export const editWechatAccountBody = z.strictObject({ name, secret }).partial();
export type EditWechatAccount = z.output<typeof editWechatAccountBody>;

const wechatProblem = z.object({
  code: z.enum(wechatProblems),
  errcode: z.int().nullable().describe("Of WeChat. Null: there was no answer."),
  address: z
    .string()
    .nullable()
    .describe(
      "For `address`: the address of this instance, as WeChat sees it. Add it to the IP allowlist of the account.",
    ),
  at: z.string(),
  nextAt: z
    .string()
    .nullable()
    .describe("When it’s tried again. Null: once you change or check the account."),
});

export const wechatAccountShape = z.object({
  id: z.string(),
  kind: z.enum(wechatKinds),
  name: z.string(),
  appId: z.string(),
  problem: wechatProblem
    .nullable()
    .describe("What the last call to WeChat failed with. Null: it succeeded, or there was none."),
  userProblem: wechatProblem
    .nullable()
    .describe(
      "What the last code of a visitor who shared their WeChat account failed with. Null: it succeeded, or there was none.",
    ),
  virtualUsers: z
    .int()
    .describe("Visitors in WeChat’s snapshot mode who shared it: counted, but not stored."),
  createdAt: z.string(),
});
export type WechatAccount = z.output<typeof wechatAccountShape>;
