/** What must fit together in a campaign: what each kind needs, its messages, columns and destination. Safe in the browser. */
import { allNameOptOut, parseDestination, parseMessage } from "#lib/outreach/messages";

const reservedNames = new Set(["link", "optout", "recipientId"]);
const percentTolerance = 1e-6;

interface Column {
  name: string;
  personal: boolean;
}

interface Variant {
  name: string;
  template: string;
  percentage: number;
}

/** A field that could not be read is undefined, and nothing is said about it. */
export interface WholeCampaign {
  kind: "marketing" | "service" | undefined;
  senderName: string | null | undefined;
  optOutText: string | null | undefined;
  consentSource: string | null | undefined;
  consentOn: string | null | undefined;
  columns: readonly Column[] | undefined;
  variants: readonly Variant[] | undefined;
  destination: string | undefined;
}

export interface FieldProblem {
  path: (string | number)[];
  message: string;
}

/** Every problem, in the order of the form. */
export function problemsOf(campaign: WholeCampaign): FieldProblem[] {
  return [
    ...columnProblems(campaign),
    ...messageProblems(campaign),
    ...destinationProblems(campaign),
    ...marketingProblems(campaign),
  ];
}

function columnProblems({ columns = [] }: WholeCampaign): FieldProblem[] {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at || reservedNames.has(name));
  if (twice === undefined) return [];
  const message = `The name "${twice}" is used twice or reserved. Choose another one.`;
  return [{ path: ["columns"], message }];
}

function messageProblems({ variants, columns }: WholeCampaign): FieldProblem[] {
  if (!variants) return [];
  if (variants.length === 0) return [{ path: ["template"], message: "Enter a message." }];
  const problems: FieldProblem[] = [];
  const sum = variants.reduce((total, { percentage }) => total + percentage, 0);
  if (Math.abs(sum - 100) > percentTolerance) {
    const message = `The percentages add up to ${sum}. Make it 100.`;
    problems.push({ path: ["variants"], message });
  } else if (new Set(variants.map(({ name }) => name)).size < variants.length) {
    const message = "Two variants have the same name. Rename one of them.";
    problems.push({ path: ["variants"], message });
  }
  if (!columns) return problems;
  const names = columns.map(({ name }) => name);
  const wrong = variants.flatMap(({ template }, at) => {
    const parsed = parseMessage(template, names);
    const path = variants.length === 1 ? ["template"] : ["variants", at, "template"];
    return parsed.ok ? [] : [{ path, message: parsed.message }];
  });
  return [...problems, ...wrong];
}

function destinationProblems({ destination, columns }: WholeCampaign): FieldProblem[] {
  if (destination === undefined || !columns) return [];
  const parsed = parseDestination(destination, columns);
  return parsed.ok ? [] : [{ path: ["destination"], message: parsed.message }];
}

function marketingProblems(campaign: WholeCampaign): FieldProblem[] {
  if (campaign.kind !== "marketing") return [];
  const { variants, columns = [], senderName, consentSource, consentOn } = campaign;
  const namesPage = variants !== undefined && allNameOptOut(variants, columns);
  const optOutText = namesPage ? "" : campaign.optOutText;
  const required = { senderName, optOutText, consentSource, consentOn };
  return Object.entries(required).flatMap(([field, value]) =>
    value === null ? [{ path: [field], message: neededBecause(field) }] : [],
  );
}

function neededBecause(field: string): string {
  return field === "optOutText"
    ? "Enter how recipients opt out, or use {optout} in every message."
    : "Required for marketing messages.";
}
