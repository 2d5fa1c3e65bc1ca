/** What sample calls send besides the required fields of the body. `$NAME` is an environment variable. */

export interface SampleCall {
  query?: Record<string, string>;
  body?: unknown;
  file?: string;
  saveAs?: string;
}

const url = "https://example.com/autumn?edition=2";
/** A PNG of one pixel, in base64. */
const image =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** By operation id. Operations that are not listed need nothing else. */
export const sampleCalls: Record<string, SampleCall> = {
  expandLink: { query: { url: "$SHORT_LINK" } },
  findLink: { query: { linkId: "$LINK_ID" } },
  checkKey: { query: { key: "autumn" } },
  editLink: { body: { title: "The autumn catalogue" } },
  bulkUpdateLinks: { body: { linkIds: ["$LINK_ID"], data: { title: "The autumn catalogue" } } },
  bulkDeleteLinks: { query: { linkIds: "$LINK_ID" } },
  tryLink: {
    body: {
      link: { url, geo: { DE: "https://example.com/de" } },
      visitor: { country: "DE" },
    },
  },
  exportLinks: { saveAs: "links.csv" },
  exportMissedLinks: { saveAs: "missed-links.csv" },
  changeDestinationList: { body: { kind: "block", add: ["spam.example"] } },
  pollDestinationList: { body: { kind: "block" } },
  createGateway: {
    body: {
      name: "Twilio",
      secret: "$GATEWAY_SECRET",
      settings: {
        kind: "twilio",
        accountSid: "AC00000000000000000000000000000000",
        sender: "+14155550100",
      },
    },
  },
  editGateway: { body: { rate: 20 } },
  createPublicKey: { body: { name: "Shop", hosts: ["shop.example.com"] } },
  trackOpen: { body: { deepLink: "$SHORT_LINK" } },
  trackLead: { body: { clickId: "$CLICK_ID", eventName: "Sign up", customerExternalId: "user-1" } },
  trackSale: {
    body: { customerExternalId: "user-1", amount: 1580, currency: "USD", invoiceId: "in-1" },
  },
  editCustomer: { body: { name: "Ada Lovelace" } },
  createForm: {
    body: {
      name: "Offer",
      title: "Get the offer by phone",
      fields: [{ type: "phone" }, { type: "name", required: false }],
      consent: "Acme calls me about the offer.",
      controller: "Acme Ltd, 1 Main Street, London",
      privacyUrl: "https://example.com/privacy",
      published: true,
    },
  },
  editForm: { body: { title: "Get the offer" } },
  createWebhook: {
    body: { name: "CRM", url: "https://example.com/hook", events: ["link.created"] },
  },
  editWebhook: { body: { events: ["link.created", "link.clicked"] } },
  subscribeWebhook: { body: { targetUrl: "https://example.com/hook", event: "link.created" } },
  listWebhookSamples: { query: { event: "link.created" } },
  rotateWebhookSecret: { body: { overlapHours: 24 } },
  resendWebhookDelivery: { body: { eventId: "$EVENT_ID" } },
  testWebhook: { body: { type: "link.created" } },
  createCampaign: {
    body: {
      name: "Autumn sale",
      kind: "service",
      template: "Hi {name|there}, your offer: {link} until Sunday",
      destination: "https://example.com/autumn?r={recipientId}",
      defaultCountry: "CN",
      columns: [{ name: "name" }],
    },
  },
  startCampaign: { body: { gatewayId: "$GATEWAY_ID", rate: 10 } },
  tryCampaign: { body: { gatewayId: "$GATEWAY_ID", rate: 10 } },
  sendTestMessage: { body: { gatewayId: "$GATEWAY_ID", phone: "+8613800138000" } },
  addReceipts: { body: { receipts: [{ messageId: "order-1", state: "delivered" }] } },
  settleSends: { body: { messageIds: ["order-1"], as: "sent" } },
  editCampaign: { body: { name: "Autumn sale 2" } },
  addRecipients: {
    body: [{ messageId: "order-1", phone: "+8613800138000", columns: { name: "Li" } }],
  },
  uploadRecipients: { file: "recipients.csv" },
  addAudience: { body: { campaignId: "$OTHER_CAMPAIGN_ID", audience: "not_clicked" } },
  editRecipientSource: { body: { heading: true } },
  compareCampaigns: { query: { campaignIds: "$CAMPAIGN_ID,$OTHER_CAMPAIGN_ID" } },
  exportRefusedRecipients: { saveAs: "refused.csv" },
  exportMessages: { saveAs: "messages.csv" },
  exportOptOuts: { saveAs: "opt-outs.csv" },
  exportContacts: { saveAs: "contacts.csv" },
  checkMessage: { body: { text: "Your offer – until Sunday", country: "US" } },
  erasePerson: { body: { phone: "+8613800138000" } },
  addOptOuts: { body: { phones: ["+8613800138000"] } },
  checkOptOuts: { body: { phones: ["+8613800138000"] } },
  createSocialImage: { body: { image } },
  getSocialImage: { saveAs: "picture.jpg" },
  uploadImport: { file: "links.csv" },
  updateImport: { body: { mapping: ["url"] } },
  createImporter: { body: { system: "bitly", token: "YOUR_BITLY_TOKEN" } },
  getImportResults: { saveAs: "results.csv" },
  editDomain: { body: { archived: true } },
  dismissDomainAlarm: { body: { app: "wechat" } },
  putWechatDomain: {
    body: {
      accountId: "$WECHAT_ACCOUNT_ID",
      file: { name: "MP_verify_a1B2c3D4e5F6g7H8.txt", content: "a1B2c3D4e5F6g7H8" },
    },
  },
  exportAnalytics: { query: { linkId: "$LINK_ID" }, saveAs: "analytics.zip" },
  exportEvents: { saveAs: "clicks.csv" },
  exportAudit: { saveAs: "audit.csv" },
  getLinkQr: { saveAs: "code.png" },
  drawLinkQr: { body: { design: { foreground: "#0f766e" } }, saveAs: "code.png" },
  getQrCode: { query: { url: "https://example.com/" }, saveAs: "code.png" },
  exportQrCodes: { body: { linkIds: ["$LINK_ID"] }, saveAs: "codes.zip" },
  printQrLabels: { body: { linkIds: ["$LINK_ID"], preset: "a4-3x7" }, saveAs: "labels.pdf" },
  createQrLogo: { body: { image } },
  getQrLogo: { saveAs: "logo.png" },
};
