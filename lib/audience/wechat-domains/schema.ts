import { z } from "zod";

const idCharsMax = 255;

/** "MP_verify_" and 16 letters or digits, which are also the content. */
const wechatFile = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(
      /^MP_verify_[A-Za-z0-9]{16}\.txt$/,
      "Enter the name of the file, such as MP_verify_a1B2c3D4e5F6g7H8.txt.",
    ),
  content: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{16}$/, "Enter the content of the file: 16 letters or digits."),
});

export const putWechatDomainBody = z.strictObject({
  accountId: z.string().max(idCharsMax).describe("An official account of the workspace."),
  file: wechatFile
    .nullable()
    .default(null)
    .describe("The file that WeChat asks for, at the root of the domain. null: none."),
  callback: z
    .boolean()
    .default(false)
    .describe(
      "The domain is set as authorized callback domain (网页授权域名) in WeChat: forms can ask for the WeChat account of visitors.",
    ),
});
export type NewWechatDomain = z.output<typeof putWechatDomainBody>;

export const wechatDomainShape = z.object({
  slug: z.string().describe("The domain."),
  accountId: z.string(),
  appId: z.string(),
  file: wechatFile.nullable(),
  callback: z.boolean(),
});
export type WechatDomain = z.output<typeof wechatDomainShape>;
