/** English descriptions of DNS problems. The dashboard translates the problems itself. */
import { displayValues } from "#lib/platform/dns";
import { claimDaysMax } from "./checks.ts";
import { type DnsTarget, type Findings, ownershipRecord } from "./records.ts";
import type { DnsRecord, DomainProblem } from "./schema.ts";

export interface ProblemContext {
  host: string;
  token: string;
  target: DnsTarget;
  findings: Findings | undefined;
  records: readonly DnsRecord[];
}

export function problemText(problem: DomainProblem, context: ProblemContext): string {
  return problemTexts[problem](context);
}

const problemTexts: Record<DomainProblem, (context: ProblemContext) => string> = {
  unsure: ({ host }) =>
    `The DNS lookup for ${host} failed. Nothing was changed. Try again in a minute.`,
  resting: ({ host }) =>
    `${host} couldn’t be verified for ${claimDaysMax} days, so automatic checks have stopped. Verify it to resume them.`,
  taken: ({ host }) =>
    `Another workspace already uses ${host}. If you own the domain, contact them.`,
  ownership_missing: ({ host, token }) => {
    const { name, value } = ownershipRecord(host, token);
    return `No TXT record found at ${name}. Add one with the value ${value}.`;
  },
  ownership_wrong: ({ host, token, findings }) => {
    const { name, value } = ownershipRecord(host, token);
    return `The TXT record at ${name} has the value ${quoted(findings?.txt ?? [])}. Change it to ${value}.`;
  },
  traffic_missing: ({ host, records }) => `${host} doesn’t point anywhere yet. ${wanted(records)}`,
  traffic_elsewhere: ({ host, findings, records }) =>
    `${host} points to ${displayValues(findings?.addresses ?? []).join(", ")}, not only to this instance. That’s fine for a proxy such as Cloudflare, as long as the TXT record stays. Otherwise: ${wanted(records)}`,
  target_unknown: () =>
    "The public address of this instance isn’t configured. Ask your administrator to set FUXI_DOMAINS_TARGET.",
};

function quoted(texts: readonly string[]): string {
  return displayValues(texts)
    .map((text) => `"${text}"`)
    .join(", ");
}

function wanted(records: readonly DnsRecord[]): string {
  const traffic = records.filter(({ purpose }) => purpose === "traffic");
  return traffic.map(({ type, name, value }) => `Add ${type} ${name} → ${value}.`).join(" ");
}
