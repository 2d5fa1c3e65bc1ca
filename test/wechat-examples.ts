/** The examples of api-examples.ts for WeChat. */
import type { Example } from "./api-examples.ts";

export const wechatExamples: Record<string, Example> = {
  listWechatAccounts: {},
  createWechatAccount: {
    body: () => ({
      kind: "miniProgram",
      name: "Shop",
      appId: "wx0123456789abcdef",
      secret: "0123456789abcdefABCDEF0123456789",
    }),
  },
  editWechatAccount: {
    id: "wechatAccount",
    body: () => ({ name: "Renamed" }),
  },
  checkWechatAccount: { id: "wechatAccount" },
  listWechatDomains: {},
  putWechatDomain: {
    id: "domain",
    body: (it) => ({
      accountId: it.officialAccount,
      file: { name: "MP_verify_a1B2c3D4e5F6g7H8.txt", content: "a1B2c3D4e5F6g7H8" },
    }),
  },
  deleteWechatDomain: { id: "domain" },
  getMiniProgramCode: { id: "link", status: 422 },
  deleteWechatAccount: { id: "wechatAccount" },
};
