/** The examples of action-examples.ts for public keys, gateways, opt-outs and the sending of campaigns. */
import type { ActionExample } from "./action-examples.ts";
import type { TestSubjects } from "./api-subjects.ts";
import { form } from "./form.ts";

const campaign: readonly (keyof TestSubjects)[] = ["campaign"];
const gateway: readonly (keyof TestSubjects)[] = ["gateway"];

/** The form of a gateway. */
function twilio(name: string): FormData {
  const data = new FormData();
  const account = { accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100", secret: "token" };
  const fields = { kind: "twilio", name, rate: "10", ...account };
  for (const [field, value] of Object.entries(fields)) data.set(field, value);
  return data;
}

export const sendingActions: Record<string, ActionExample> = {
  createPublicKeyAction: {
    who: "admin",
    given: () => [form({ name: "Shop", hosts: "shop.example" })],
  },
  findCustomerAction: { who: "viewer", given: () => ["customer-1"] },
  saveFormAction: {
    who: "member",
    given: (it) => [
      form({
        id: it.form,
        name: `Renamed ${it.form}`,
        content: JSON.stringify({ title: "Title", fields: [{ type: "check", label: "I agree" }] }),
      }),
    ],
    names: ["form"],
  },
  deleteFormAction: { who: "member", given: (it) => [it.form], names: ["form"] },
  findContactAction: { who: "admin", given: () => ["+442079460018"] },
  eraseContactAction: { who: "admin", given: (it) => [it.contact], names: ["contact"] },
  eraseCustomerAction: { who: "admin", given: (it) => [it.customer], names: ["customer"] },
  deletePublicKeyAction: { who: "admin", given: (it) => [it.publicKey], names: ["publicKey"] },
  createGatewayAction: {
    who: "admin",
    given: () => [twilio("Twilio")],
  },
  editGatewayAction: {
    who: "admin",
    given: (it) => [it.gateway, twilio("Renamed")],
    names: gateway,
  },
  renewReceiptUrlAction: { who: "admin", given: (it) => [it.gateway], names: gateway },
  checkGatewayAction: { who: "member", given: (it) => [it.gateway], names: gateway },
  createWechatAccountAction: {
    who: "admin",
    given: () => [
      form({
        kind: "miniProgram",
        name: "Shop",
        appId: "wx0123456789abcdef",
        secret: "0123456789abcdefABCDEF0123456789",
      }),
    ],
  },
  editWechatAccountAction: {
    who: "admin",
    given: (it) => [it.wechatAccount, form({ name: "Renamed", secret: "" })],
    names: ["wechatAccount"],
  },
  checkWechatAccountAction: {
    who: "admin",
    given: (it) => [it.wechatAccount],
    names: ["wechatAccount"],
  },
  deleteWechatAccountAction: {
    who: "admin",
    given: (it) => [it.wechatAccount],
    names: ["wechatAccount"],
  },
  putWechatDomainAction: {
    who: "admin",
    given: (it) => [
      form({
        slug: it.domain,
        accountId: it.officialAccount,
        fileName: "MP_verify_a1B2c3D4e5F6g7H8.txt",
        fileContent: "a1B2c3D4e5F6g7H8",
      }),
    ],
    names: ["domain", "officialAccount"],
  },
  deleteWechatDomainAction: {
    who: "admin",
    given: (it) => [it.domain],
    names: ["domain"],
  },
  deleteGatewayAction: { who: "admin", given: (it) => [it.gateway], names: gateway },
  addOptOutsAction: { who: "member", given: () => [["+8613800138000"], ""] },
  findOptOutAction: { who: "admin", given: () => ["+8613800138000", "CN"] },
  deleteOptOutAction: { who: "admin", given: (it) => [it.optOut], names: ["optOut"] },
  tryStartAction: {
    who: "member",
    given: (it) => [it.campaign, { gatewayId: it.gateway, rate: 10 }],
    names: ["campaign", "gateway"],
    answer: "campaignEmpty",
  },
  startSendingAction: {
    who: "member",
    given: (it) => [it.campaign, { gatewayId: it.gateway, rate: 10 }],
    names: ["campaign", "gateway"],
    answer: "campaignEmpty",
  },
  pauseSendingAction: {
    who: "member",
    given: (it) => [it.campaign],
    names: campaign,
    answer: "sendingChanged",
  },
  resumeSendingAction: {
    who: "member",
    given: (it) => [it.campaign],
    names: campaign,
    answer: "sendingChanged",
  },
  cancelSendingAction: {
    who: "member",
    given: (it) => [it.campaign],
    names: campaign,
    answer: "sendingChanged",
  },
  sendTestAction: {
    who: "admin",
    given: (it) => [it.campaign, { gatewayId: it.gateway, phone: "+8613800138000" }],
    names: ["campaign", "gateway"],
    answer: "campaignEmpty",
  },
  settleSendsAction: {
    who: "member",
    given: (it) => [it.campaign, { messageIds: ["order-1"], as: "sent" }],
    names: campaign,
  },
};
