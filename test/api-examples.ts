/**
 * For tests of the API: a valid call of every operation, and who may make it. One line per operation; a test compares
 * the table with the document.
 */
import type { Permission } from "#lib/tenancy/access/schema";
import { onePixel, type TestSubjects } from "./api-subjects.ts";
import { conversionExamples } from "./conversion-examples.ts";
import { webhookExamples } from "./webhook-examples.ts";
import { wechatExamples } from "./wechat-examples.ts";

export interface Example {
  /** The scope that a key needs; `people`: no key may; `any`: every key may; `nobody`: no key is needed. */
  needs: string;
  /** Another scope that a key needs. */
  also?: Permission;
  /** What a person needs where no key is allowed; omitted: nothing. */
  permission?: Permission;
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
  getMe: { needs: "any" },
  listApiKeys: { needs: "people", permission: "keys.read" },
  createApiKey: { needs: "people", permission: "keys.write", body: () => ({ name: "New" }) },
  getApiKey: { needs: "people", permission: "keys.read", id: "apiKey" },
  editApiKey: {
    needs: "people",
    permission: "keys.write",
    id: "apiKey",
    body: () => ({ name: "Renamed" }),
  },
  rotateApiKey: {
    needs: "people",
    permission: "keys.write",
    id: "apiKey",
    body: () => ({ overlapSeconds: 60 }),
  },
  getApiKeyUse: { needs: "people", permission: "keys.read", id: "apiKey" },
  revokeApiKey: { needs: "people", permission: "keys.write", id: "apiKey" },
  listAudit: { needs: "audit.read" },
  exportAudit: { needs: "audit.read" },
  createLink: { needs: "links.write", body: () => ({ url }) },
  listLinks: { needs: "links.read" },
  countLinks: { needs: "links.read" },
  findLink: { needs: "links.read", query: ({ link }) => ({ linkId: link }) },
  checkKey: { needs: "links.write", query: ({ domain }) => ({ domain, key: "free" }) },
  tryLink: { needs: "any", body: () => ({ link: { url }, visitor: {} }) },
  // The test environment fetches nothing.
  suggestWords: {
    needs: "links.write",
    body: () => ({ url: "http://127.0.0.1/" }),
    status: 422,
  },
  getLink: { needs: "links.read", id: "link" },
  editLink: { needs: "links.write", id: "link", body: () => ({ title: "New" }) },
  replaceLink: { needs: "links.write", id: "link", body: () => ({ url }) },
  deleteLink: { needs: "links.write", id: "link" },
  upsertLink: { needs: "links.write", body: () => ({ url: `${url}upsert` }) },
  bulkCreateLinks: { needs: "links.write", body: () => [{ url }] },
  bulkUpdateLinks: {
    needs: "links.write",
    body: ({ link }) => ({ linkIds: [link], data: { title: "New" } }),
  },
  bulkDeleteLinks: { needs: "links.write", query: ({ link }) => ({ linkIds: link }) },
  getBulkJob: { needs: "links.read", id: "job" },
  // No worker runs here, so there are no outcomes yet.
  getBulkOutcomes: { needs: "links.read", id: "job", status: 409 },
  uploadImport: { needs: "links.write", csv: "https://example.com/uploaded\n" },
  listImports: { needs: "links.read" },
  getImport: { needs: "links.read", id: "import" },
  updateImport: { needs: "links.write", id: "import", body: () => ({ mapping: ["url"] }) },
  previewImport: { needs: "links.write", id: "import" },
  startImport: { needs: "links.write", id: "import" },
  // It was not started.
  cancelImport: { needs: "links.write", id: "import", status: 409 },
  getImportResults: { needs: "links.read", id: "import", status: 409 },
  listImportRefusals: { needs: "links.read", id: "import" },
  createImporter: { needs: "links.write", body: () => ({ system: "dub", token: "secret" }) },
  listImporters: { needs: "links.read" },
  getImporter: { needs: "links.read", id: "importer" },
  cancelImporter: { needs: "links.write", id: "importer" },
  deleteImport: { needs: "links.write", id: "import" },
  expandLink: {
    needs: "links.read",
    query: ({ shortDomain, key }) => ({ domain: shortDomain, key }),
  },
  createTag: { needs: "tags.write", body: ({ tagName }) => ({ name: `${tagName} and more` }) },
  listTags: { needs: "tags.read" },
  editTag: { needs: "tags.write", id: "tag", body: () => ({ color: "red" }) },
  deleteTag: { needs: "tags.write", id: "tag" },
  listUtmTemplates: { needs: "links.read" },
  createUtmTemplate: { needs: "links.write", body: ({ utm }) => ({ name: `New ${utm}` }) },
  editUtmTemplate: { needs: "links.write", id: "utm", body: () => ({ utm_source: "mail" }) },
  deleteUtmTemplate: { needs: "links.write", id: "utm" },
  createFolder: { needs: "folders.write", body: ({ folder }) => ({ name: `New ${folder}` }) },
  listFolders: { needs: "folders.read" },
  getFolder: { needs: "folders.read", id: "folder" },
  editFolder: { needs: "folders.write", id: "folder", body: () => ({ description: "New" }) },
  deleteFolder: { needs: "folders.write", id: "folder" },
  getWorkspace: { needs: "any", id: "workspace" },
  editWorkspace: {
    needs: "people",
    permission: "workspace.write",
    id: "workspace",
    body: () => ({ zone: "Asia/Tokyo" }),
  },
  getPageLook: { needs: "any" },
  suggestPageLook: { needs: "people", permission: "workspace.write" },
  editPageLook: {
    needs: "people",
    permission: "workspace.write",
    body: () => ({ color: "#0f766e" }),
  },
  getDestinationLists: { needs: "destinations.read" },
  listRefusedLinks: { needs: "links.read" },
  changeDestinationList: {
    needs: "destinations.write",
    body: () => ({ kind: "block", add: ["blocked.example"] }),
  },
  pollDestinationList: { needs: "destinations.write", body: () => ({ kind: "block" }) },
  createCampaign: {
    needs: "campaigns.write",
    body: () => ({
      name: "Autumn",
      kind: "service",
      template: "Look: {link}",
      destination: url,
      defaultCountry: "CN",
    }),
  },
  listCampaigns: { needs: "campaigns.read" },
  getCampaign: { needs: "campaigns.read", id: "campaign" },
  editCampaign: { needs: "campaigns.write", id: "campaign", body: () => ({ name: "Winter" }) },
  deleteCampaign: { needs: "campaigns.write", id: "campaign" },
  getCampaignStatus: { needs: "campaigns.read", id: "campaign" },
  getCampaignReport: { needs: "campaigns.read", id: "campaign" },
  compareCampaigns: {
    needs: "campaigns.read",
    query: ({ campaign, otherCampaign }) => ({ campaignIds: `${campaign},${otherCampaign}` }),
  },
  addRecipients: {
    needs: "campaigns.write",
    id: "campaign",
    body: () => [{ messageId: "m1", phone: "+8613800138000" }],
  },
  listRecipients: { needs: "campaigns.read", id: "campaign" },
  uploadRecipients: { needs: "campaigns.write", id: "campaign", csv: "phone\n13800138000\n" },
  addAudience: {
    needs: "campaigns.write",
    id: "campaign",
    body: ({ otherCampaign }) => ({ campaignId: otherCampaign, audience: "clicked" }),
  },
  listRecipientSources: { needs: "campaigns.read", id: "campaign" },
  getRecipientSource: { needs: "campaigns.read", id: "source" },
  editRecipientSource: {
    needs: "campaigns.write",
    id: "readySource",
    body: () => ({ heading: false }),
  },
  previewRecipientSource: { needs: "campaigns.write", id: "source" },
  startRecipientSource: { needs: "campaigns.write", id: "source" },
  pauseRecipientSource: { needs: "campaigns.write", id: "waitingSource" },
  cancelRecipientSource: { needs: "campaigns.write", id: "source" },
  undoRecipientSource: { needs: "campaigns.write", id: "source" },
  exportRefusedRecipients: { needs: "people.view", id: "source" },
  exportMessages: { needs: "people.view", id: "campaign" },
  checkMessage: { needs: "any", body: () => ({ text: "Hi", country: "CN" }) },
  erasePerson: {
    needs: "campaigns.write",
    also: "people.view",
    body: () => ({ phone: "+8613800138000" }),
  },
  rotatePeopleKey: { needs: "people", permission: "workspace.write" },
  // It has no recipients.
  startCampaign: {
    needs: "campaigns.write",
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, rate: 10 }),
    status: 422,
  },
  tryCampaign: {
    needs: "campaigns.write",
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, rate: 10 }),
    status: 422,
  },
  sendTestMessage: {
    needs: "people.view",
    also: "campaigns.write",
    id: "campaign",
    body: ({ gateway }) => ({ gatewayId: gateway, phone: "+8613800138000" }),
    status: 422,
  },
  // It was not started.
  pauseCampaign: { needs: "campaigns.write", id: "campaign", status: 409 },
  resumeCampaign: { needs: "campaigns.write", id: "campaign", status: 409 },
  cancelCampaign: { needs: "campaigns.write", id: "campaign", status: 409 },
  getSending: { needs: "campaigns.read", id: "campaign" },
  listSends: { needs: "campaigns.read", id: "campaign" },
  settleSends: {
    needs: "campaigns.write",
    id: "campaign",
    body: () => ({ messageIds: ["m1"], as: "sent" }),
  },
  addReceipts: {
    needs: "campaigns.write",
    id: "campaign",
    body: () => ({ receipts: [{ messageId: "m1", state: "delivered" }] }),
  },
  listGateways: { needs: "campaigns.read" },
  getGateway: { needs: "campaigns.read", id: "gateway" },
  createGateway: {
    needs: "people",
    permission: "workspace.write",
    body: () => ({ name: "Gateway", settings: gatewaySettings, secret: "token" }),
  },
  editGateway: {
    needs: "people",
    permission: "workspace.write",
    id: "gateway",
    body: () => ({ name: "Renamed" }),
  },
  deleteGateway: { needs: "people", permission: "workspace.write", id: "gateway" },
  checkGateway: { needs: "campaigns.write", id: "gateway" },
  ...wechatExamples,
  ...conversionExamples,
  ...webhookExamples,
  listOptOuts: { needs: "campaigns.read" },
  addOptOuts: { needs: "campaigns.write", body: () => ({ phones: ["+8613800138000"] }) },
  checkOptOuts: { needs: "people.view", body: () => ({ phones: ["+8613800138000"] }) },
  exportOptOuts: { needs: "people.view" },
  deleteOptOut: { needs: "campaigns.write", also: "people.view", id: "optOut" },
  createDomain: { needs: "domains.write", body: ({ domain }) => ({ slug: `new.${domain}` }) },
  listDomains: { needs: "domains.read" },
  getDomain: { needs: "domains.read", id: "domain" },
  editDomain: { needs: "domains.write", id: "domain", body: () => ({ archived: true }) },
  deleteDomain: { needs: "domains.write", id: "domain" },
  getDomainVerification: { needs: "domains.read", id: "domain" },
  getDomainHealth: { needs: "domains.read", also: "analytics.read", id: "domain" },
  dismissDomainAlarm: { needs: "domains.write", id: "domain", body: () => ({ app: "wechat" }) },
  verifyDomain: { needs: "domains.write", id: "domain" },
  makeDomainPrimary: { needs: "domains.write", id: "domain" },
  setPrimaryDomain: { needs: "domains.write", id: "domain" },
  dropPrimaryDomain: { needs: "domains.write", id: "domain" },
  transferDomain: {
    needs: "people",
    permission: "domains.write",
    id: "domain",
    body: ({ otherWorkspace }) => ({ workspaceId: otherWorkspace }),
  },
  askAnalytics: { needs: "analytics.read", query: ({ link }) => ({ linkId: link }) },
  exportAnalytics: { needs: "analytics.read", query: ({ folder }) => ({ folderId: folder }) },
  listEvents: { needs: "analytics.read", query: ({ tag }) => ({ tagId: tag }) },
  exportLinks: { needs: "links.read", query: ({ folder }) => ({ folderId: folder }) },
  exportEvents: { needs: "analytics.read", query: ({ link }) => ({ linkId: `-${link}` }) },
  getQrCode: { needs: "nobody", query: () => ({ url }) },
  createSocialImage: { needs: "links.write", body: () => ({ image: onePixel }) },
  getSocialImage: { needs: "nobody", id: "socialImage" },
  listSocialImages: { needs: "links.read" },
  deleteSocialImage: { needs: "people", permission: "workspace.write", id: "socialImage" },
  listQrTemplates: { needs: "links.read" },
  createQrTemplate: { needs: "links.write", body: () => ({ name: "New" }) },
  editQrTemplate: { needs: "links.write", id: "qrTemplate", body: () => ({ name: "Renamed" }) },
  deleteQrTemplate: { needs: "links.write", id: "qrTemplate" },
  listQrLogos: { needs: "links.read" },
  createQrLogo: { needs: "links.write", body: () => ({ image: onePixel }) },
  getQrLogo: { needs: "links.read", id: "qrLogo" },
  deleteQrLogo: { needs: "links.write", id: "qrLogo" },
  getLinkQr: {
    needs: "links.read",
    id: "link",
    query: ({ qrTemplate }) => ({ template: qrTemplate }),
  },
  drawLinkQr: { needs: "links.read", id: "link", body: () => ({}) },
  exportQrCodes: {
    needs: "links.read",
    body: ({ link, qrTemplate }) => ({ linkIds: [link], template: qrTemplate, format: "svg" }),
  },
  printQrLabels: {
    needs: "links.read",
    body: ({ link, qrTemplate }) => ({ linkIds: [link], template: qrTemplate, preset: "a4-5x7" }),
  },
};
