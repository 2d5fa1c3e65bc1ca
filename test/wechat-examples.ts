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
  getMiniProgramCode: { needs: "links.read", id: "link", status: 422 },
  deleteWechatAccount: { needs: "people", permission: "workspace.write", id: "wechatAccount" },
};
