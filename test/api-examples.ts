/**
 * For tests of the API: a valid call of every operation. One line per operation; a test compares the table with the
 * document, which says who may make the call.
 */
import { onePixel, type TestSubjects } from "./api-subjects.ts";
import { conversionExamples } from "./conversion-examples.ts";
import { webhookExamples } from "./webhook-examples.ts";
import { wechatExamples } from "./wechat-examples.ts";

export interface Example {
  /** The object of `{id}` or `{slug}` in the path. */
  id?: keyof TestSubjects;
  body?: (subjects: TestSubjects) => unknown;
  /** A file as the body. */
  csv?: string;
  query?: (subjects: TestSubjects) => Record<string, string>;
  /** 2xx unless specified. */
  status?: number;
}

const url = "https://example.com/";
const gatewaySettings = {
  kind: "twilio",
  accountSid: `AC${"0".repeat(32)}`,
  sender: "+14155550100",
};

export const examples: Record<string, Example> = {
  getMe: {},
  listApiKeys: {},
  createApiKey: { body: () => ({ name: "New" }) },
  getApiKey: { id: "apiKey" },
  editApiKey: {
    id: "apiKey",
    body: () => ({ name: "Renamed" }),
  },
  rotateApiKey: {
    id: "apiKey",
    body: () => ({ overlapSeconds: 60 }),
  },
  getApiKeyUse: { id: "apiKey" },
  revokeApiKey: { id: "apiKey" },
  listAudit: {},
  exportAudit: {},
  createLink: { body: () => ({ url }) },
  listLinks: {},
  countLinks: {},
  findLink: { query: ({ link }) => ({ linkId: link }) },
  checkKey: { query: ({ domain }) => ({ domain, key: "free" }) },
  tryLink: { body: () => ({ link: { url }, visitor: {} }) },
  // The test environment fetches nothing.
  suggestWords: {
    body: () => ({ url: "http://127.0.0.1/" }),
    status: 422,
  },
  getLink: { id: "link" },
  editLink: { id: "link", body: () => ({ title: "New" }) },
  replaceLink: { id: "link", body: () => ({ url }) },
  deleteLink: { id: "link" },
  upsertLink: { body: () => ({ url: `${url}upsert` }) },
  bulkCreateLinks: { body: () => [{ url }] },
  bulkUpdateLinks: {
    body: ({ link }) => ({ linkIds: [link], data: { title: "New" } }),
  },
  bulkDeleteLinks: { query: ({ link }) => ({ linkIds: link }) },
  getBulkJob: { id: "job" },
  // No worker runs here, so there are no outcomes yet.
  getBulkOutcomes: { id: "job", status: 409 },
  uploadImport: { csv: "https://example.com/uploaded\n" },
  listImports: {},
  getImport: { id: "import" },
  updateImport: { id: "import", body: () => ({ mapping: ["url"] }) },
  previewImport: { id: "import" },
  startImport: { id: "import" },
  // It was not started.
  cancelImport: { id: "import", status: 409 },
  getImportResults: { id: "import", status: 409 },
  listImportRefusals: { id: "import" },
  createImporter: { body: () => ({ system: "dub", token: "secret" }) },
  listImporters: {},
  getImporter: { id: "importer" },
  cancelImporter: { id: "importer" },
  deleteImport: { id: "import" },
  expandLink: {
    query: ({ shortDomain, key }) => ({ domain: shortDomain, key }),
  },
  createTag: { body: ({ tagName }) => ({ name: `${tagName} and more` }) },
  listTags: {},
  editTag: { id: "tag", body: () => ({ color: "red" }) },
  deleteTag: { id: "tag" },
  listUtmTemplates: {},
  createUtmTemplate: { body: ({ utm }) => ({ name: `New ${utm}` }) },
  editUtmTemplate: { id: "utm", body: () => ({ utm_source: "mail" }) },
  deleteUtmTemplate: { id: "utm" },
  createFolder: { body: ({ folder }) => ({ name: `New ${folder}` }) },
  listFolders: {},
  getFolder: { id: "folder" },
  editFolder: { id: "folder", body: () => ({ description: "New" }) },
  deleteFolder: { id: "folder" },
  getWorkspace: { id: "workspace" },
  editWorkspace: {
    id: "workspace",
    body: () => ({ zone: "Asia/Tokyo" }),
  },
  getPageLook: {},
  suggestPageLook: {},
  editPageLook: {
    body: () => ({ color: "#0f766e" }),
  },
  getDestinationLists: {},
  listRefusedLinks: {},
  changeDestinationList: {
    body: () => ({ kind: "block", add: ["blocked.example"] }),
  },
  pollDestinationList: { body: () => ({ kind: "block" }) },
  createCampaign: {
    body: () => ({
      name: "Autumn",
      kind: "service",
      template: "Look: {link}",
      destination: url,
      defaultCountry: "CN",
    }),
  },
  listCampaigns: {},
  getCampaign: { id: "campaign" },
  editCampaign: { id: "campaign", body: () => ({ name: "Winter" }) },
  deleteCampaign: { id: "campaign" },
  getCampaignStatus: { id: "campaign" },
  getCampaignReport: { id: "campaign" },
  compareCampaigns: {
    query: ({ campaign, otherCampaign }) => ({ campaignIds: `${campaign},${otherCampaign}` }),
  },
  addRecipients: {
    id: "campaign",
    body: () => [{ messageId: "m1", phone: "+8613800138000" }],
  },
  listRecipients: { id: "campaign" },
  exportRecipients: { id: "campaign" },
  uploadRecipients: { id: "campaign", csv: "phone\n13800138000\n" },
  addAudience: {
    id: "campaign",
    body: ({ otherCampaign }) => ({ campaignId: otherCampaign, audience: "clicked" }),
  },
  listRecipientSources: { id: "campaign" },
  getRecipientSource: { id: "source" },
  editRecipientSource: {
    id: "readySource",
    body: () => ({ heading: false }),
  },
  previewRecipientSource: { id: "source" },
  startRecipientSource: { id: "source" },
  pauseRecipientSource: { id: "waitingSource" },
  cancelRecipientSource: { id: "source" },
  undoRecipientSource: { id: "source" },
  exportRefusedRecipients: { id: "source" },
  exportMessages: { id: "campaign" },
  checkMessage: { body: () => ({ text: "Hi", country: "CN" }) },
  erasePerson: { body: () => ({ phone: "+8613800138000" }) },
  rotatePeopleKey: {},
  // It has no recipients.
  startCampaign: {
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, rate: 10 }),
    status: 422,
  },
  tryCampaign: {
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, rate: 10 }),
    status: 422,
  },
  sendTestMessage: {
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, phone: "+8613800138000" }),
    status: 422,
  },
  // It was not started.
  pauseCampaign: { id: "campaign", status: 409 },
  resumeCampaign: { id: "campaign", status: 409 },
  cancelCampaign: { id: "campaign", status: 409 },
  getSending: { id: "campaign" },
  listSends: { id: "campaign" },
  settleSends: {
    id: "campaign",
    body: () => ({ messageIds: ["m1"], as: "sent" }),
  },
  addReceipts: {
    id: "campaign",
    body: () => ({ receipts: [{ messageId: "m1", state: "delivered" }] }),
  },
  listGateways: {},
  getGateway: { id: "gateway" },
  createGateway: {
    body: () => ({ name: "Gateway", settings: gatewaySettings, secret: "token" }),
  },
  editGateway: {
    id: "gateway",
    body: () => ({ name: "Renamed" }),
  },
  deleteGateway: { id: "gateway" },
  checkGateway: { id: "gateway" },
  ...wechatExamples,
  ...conversionExamples,
  ...webhookExamples,
  listOptOuts: {},
  addOptOuts: { body: () => ({ phones: ["+8613800138000"] }) },
  checkOptOuts: { body: () => ({ phones: ["+8613800138000"] }) },
  exportOptOuts: {},
  deleteOptOut: { id: "optOut" },
  createDomain: { body: ({ domain }) => ({ slug: `new.${domain}` }) },
  listDomains: {},
  getDomain: { id: "domain" },
  editDomain: { id: "domain", body: () => ({ archived: true }) },
  deleteDomain: { id: "domain" },
  getDomainVerification: { id: "domain" },
  getDestinationCheck: { id: "link" },
  // The test environment fetches nothing.
  checkDestination: { id: "link", status: 422 },
  getDomainHealth: { id: "domain" },
  dismissDomainAlarm: { id: "domain", body: () => ({ app: "wechat" }) },
  verifyDomain: { id: "domain" },
  makeDomainPrimary: { id: "domain" },
  setPrimaryDomain: { id: "domain" },
  dropPrimaryDomain: { id: "domain" },
  transferDomain: {
    id: "domain",
    body: ({ otherWorkspace }) => ({ workspaceId: otherWorkspace }),
  },
  listMissedLinks: { query: ({ domain }) => ({ domain }) },
  countMissedLinks: {},
  exportMissedLinks: {},
  askAnalytics: { query: ({ link }) => ({ linkId: link }) },
  exportAnalytics: { query: ({ folder }) => ({ folderId: folder }) },
  listEvents: { query: ({ tag }) => ({ tagId: tag }) },
  exportLinks: { query: ({ folder }) => ({ folderId: folder }) },
  exportEvents: { query: ({ link }) => ({ linkId: `-${link}` }) },
  getQrCode: { query: () => ({ url }) },
  createSocialImage: { body: () => ({ image: onePixel }) },
  getSocialImage: { id: "socialImage" },
  listSocialImages: {},
  deleteSocialImage: { id: "socialImage" },
  listQrTemplates: {},
  createQrTemplate: { body: () => ({ name: "New" }) },
  editQrTemplate: { id: "qrTemplate", body: () => ({ name: "Renamed" }) },
  deleteQrTemplate: { id: "qrTemplate" },
  listQrLogos: {},
  createQrLogo: { body: () => ({ image: onePixel }) },
  getQrLogo: { id: "qrLogo" },
  deleteQrLogo: { id: "qrLogo" },
  getLinkQr: {
    id: "link",
    query: ({ qrTemplate }) => ({ template: qrTemplate }),
  },
  drawLinkQr: { id: "link", body: () => ({}) },
  exportQrCodes: {
    body: ({ link, qrTemplate }) => ({ linkIds: [link], template: qrTemplate, format: "svg" }),
  },
  printQrLabels: {
    body: ({ link, qrTemplate }) => ({ linkIds: [link], template: qrTemplate, preset: "a4-5x7" }),
  },
};
