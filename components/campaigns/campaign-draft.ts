import { type Campaign, onlyVariant } from "#lib/outreach/campaigns/schema";
import { namesOf, parseMessage } from "#lib/outreach/messages";

export interface ColumnDraft {
  /** Identifies a column while the order changes. */
  id: number;
  name: string;
  personal: boolean;
}

export interface VariantDraft {
  id: number;
  name: string;
  template: string;
  percentage: string;
}

export interface PriceDraft {
  id: number;
  /** A country, or `default`. */
  country: string;
  price: string;
}

export const utmFields = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;
type UtmField = (typeof utmFields)[number];

export interface CampaignDraft extends Record<UtmField, string> {
  name: string;
  kind: "marketing" | "service";
  defaultCountry: string;
  columns: ColumnDraft[];
  /** One, or at least two in an A/B test. */
  variants: VariantDraft[];
  destination: string;
  domain: string;
  folderId: string;
  tagIds: string[];
  linkDays: string;
  linkScheme: boolean;
  checkDestination: boolean;
  senderName: string;
  optOutText: string;
  consentSource: string;
  consentOn: string;
  currency: string;
  prices: PriceDraft[];
  personalDataDays: string;
}

/** Stands for all countries without a price of their own. */
export const anyCountry = "default";
const dataDaysDefault = "180";

export function emptyCampaign(defaultCountry: string): CampaignDraft {
  return {
    name: "",
    kind: "marketing",
    defaultCountry,
    columns: [],
    variants: [{ id: 0, name: onlyVariant, template: "", percentage: "100" }],
    destination: "",
    domain: "",
    folderId: "",
    tagIds: [],
    utm_source: "",
    utm_medium: "",
    utm_campaign: "",
    utm_term: "",
    utm_content: "",
    linkDays: "",
    linkScheme: true,
    checkDestination: false,
    senderName: "",
    optOutText: "",
    consentSource: "",
    consentOn: "",
    currency: "",
    prices: [],
    personalDataDays: dataDaysDefault,
  };
}

export function draftOfCampaign(campaign: Campaign): CampaignDraft {
  const { link, prices } = campaign;
  const text = (name: string) => {
    const value = link[name];
    return typeof value === "string" ? value : "";
  };
  const tagIds = link["tagIds"] ?? [];
  const utm = Object.fromEntries(utmFields.map((name) => [name, text(name)]));
  return {
    ...emptyCampaign(campaign.defaultCountry),
    ...utm,
    name: campaign.name,
    kind: campaign.kind,
    columns: campaign.columns.map((column, id) => ({ id, ...column })),
    variants: campaign.variants.map(({ name, template, percentage }, id) => {
      return { id, name, template, percentage: String(percentage) };
    }),
    destination: campaign.destination,
    domain: text("domain"),
    folderId: text("folderId"),
    tagIds: Array.isArray(tagIds) ? tagIds.map(String) : String(tagIds).split(","),
    linkDays: String(campaign.linkDays ?? ""),
    linkScheme: campaign.linkScheme,
    checkDestination: campaign.checkDestination,
    senderName: campaign.senderName ?? "",
    optOutText: campaign.optOutText ?? "",
    consentSource: campaign.consentSource ?? "",
    consentOn: campaign.consentOn ?? "",
    currency: prices?.currency ?? "",
    prices: Object.entries(prices?.perPart ?? {}).map(([country, price], id) => {
      return { id, country, price };
    }),
    personalDataDays: String(campaign.personalDataDays),
  };
}

/** The fields that can be changed once a campaign has recipients. */
export function fixedBodyOf(draft: CampaignDraft): Record<string, unknown> {
  const { name, checkDestination } = draft;
  return { name, checkDestination, personalDataDays: numberOf(draft.personalDataDays) };
}

/** The body of an edit: null clears a field. */
export function campaignBodyOf(draft: CampaignDraft): Record<string, unknown> {
  const given = (value: string) => (value.trim() === "" ? null : value);
  const utm = Object.fromEntries(utmFields.map((name) => [name, given(draft[name])]));
  return {
    ...fixedBodyOf(draft),
    ...utm,
    ...messagesOf(draft),
    kind: draft.kind,
    defaultCountry: draft.defaultCountry,
    columns: draft.columns.map(({ name, personal }) => ({ name, personal })),
    destination: draft.destination,
    domain: given(draft.domain),
    folderId: given(draft.folderId),
    tagIds: draft.tagIds.length > 0 ? draft.tagIds : null,
    linkDays: numberOf(draft.linkDays),
    linkScheme: draft.linkScheme,
    senderName: given(draft.senderName),
    optOutText: given(draft.optOutText),
    consentSource: given(draft.consentSource),
    consentOn: given(draft.consentOn),
    prices: pricesOf(draft),
  };
}

/** The body for a new campaign. Empty fields are omitted, so that defaults apply. */
export function newCampaignBodyOf(draft: CampaignDraft): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(campaignBodyOf(draft)).filter(([, value]) => value !== null),
  );
}

function messagesOf({ variants }: CampaignDraft): Record<string, unknown> {
  const [first] = variants;
  if (variants.length < 2) return { template: first?.template ?? "" };
  return {
    variants: variants.map(({ name, template, percentage }) => {
      return { name, template, percentage: numberOf(percentage) };
    }),
  };
}

/** The same prices as in the preview and the API; null if there are none. */
export function pricesOf({ currency, prices }: CampaignDraft) {
  if (prices.length === 0) return null;
  return {
    currency: currency.trim().toUpperCase(),
    perPart: Object.fromEntries(prices.map(({ country, price }) => [country, price.trim()])),
  };
}

function numberOf(text: string): number | string | null {
  if (text.trim() === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

const reservedNames = new Set(["link", "optout", "recipientId"]);

export function columnProblem(
  columns: readonly ColumnDraft[],
  { id, name }: ColumnDraft,
): "twice" | "reserved" | undefined {
  const own = name.trim();
  if (own === "") return undefined;
  if (reservedNames.has(own)) return "reserved";
  const isTwice = columns.some((one) => one.id < id && one.name.trim() === own);
  return isTwice ? "twice" : undefined;
}

export function columnNames({ columns }: CampaignDraft): string[] {
  return columns.map(({ name }) => name.trim()).filter((name) => name !== "");
}

const placeholder = /\{\{|\}\}|\{([^{}|]*)(?:\|[^{}]*)?\}/g;

export function namesIn(text: string): string[] {
  const names = [...text.matchAll(placeholder)].map(([, name]) => name?.trim() ?? "");
  return [...new Set(names)].filter((name) => name !== "" && !reservedNames.has(name));
}

/** Columns that the messages or the destination use, but the campaign does not have. */
export function missingColumns(draft: CampaignDraft): string[] {
  const known = new Set(columnNames(draft));
  const texts = [...draft.variants.map(({ template }) => template), draft.destination];
  return [...new Set(texts.flatMap(namesIn))].filter((name) => !known.has(name));
}

/** The columns without a fallback in a message: each recipient needs a value. */
export function requiredColumns(template: string, columns: readonly string[]): string[] {
  const parsed = parseMessage(template, columns);
  if (!parsed.ok) return [];
  const required = parsed.pieces.filter(
    (piece) => typeof piece !== "string" && piece.fallback === undefined,
  );
  return namesOf(required).filter((name) => columns.includes(name));
}

/** Adds a column. A column that the destination uses is not personal. */
export function withColumn(draft: CampaignDraft, name: string): ColumnDraft[] {
  const id = nextOf(draft.columns);
  return [...draft.columns, { id, name, personal: !namesIn(draft.destination).includes(name) }];
}

export function nextOf(list: readonly { id: number }[]): number {
  return Math.max(-1, ...list.map(({ id }) => id)) + 1;
}

export interface CampaignPartProps {
  workspace: string;
  draft: CampaignDraft;
  change: (changes: Partial<CampaignDraft>) => void;
  errorOf: (name: string) => string | undefined;
}
