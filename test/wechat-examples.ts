/** The examples of api-examples.ts for WeChat. */
import type { Example } from "./api-examples.ts";

export const wechatExamples: Record<string, Example> = {
  listWechatAccounts: { needs: "links.read" },
  createWechatAccount: {
    needs: "people",
    permission: "workspace.write",
    body: () => ({
      kind: "miniProgram",
      name: "Shop",
      appId: "wx0123456789abcdef",
      secret: "0123456789abcdefABCDEF0123456789",
    }),
  },
  editWechatAccount: {
    needs: "people",
    permission: "workspace.write",
    id: "wechatAccount",
    body: () => ({ name: "Renamed" }),
  },
  checkWechatAccount: { needs: "people", permission: "workspace.write", id: "wechatAccount" },
  listWechatDomains: { needs: "domains.read" },
  putWechatDomain: {
    needs: "domains.write",
    id: "domain",
    body: (it) => ({
      accountId: it.officialAccount,
      file: { name: "MP_verify_a1B2c3D4e5F6g7H8.txt", content: "a1B2c3D4e5F6g7H8" },
    }),
  },
  deleteWechatDomain: { needs: "domains.write", id: "domain" },
  getMiniProgramCode: { needs: "links.read", id: "link", status: 422 },
  deleteWechatAccount: { needs: "people", permission: "workspace.write", id: "wechatAccount" },
};
