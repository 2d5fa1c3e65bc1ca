/** What is said, in English, of the DNS of a domain. The dashboard says the same from the problems, in its languages. */
import { shownOf } from "#lib/platform/dns";
import { claimDaysMax } from "./checks.ts";
import { type Findings, ownershipRecord, type Target } from "./records.ts";
import type { DnsRecord, Problem } from "./schema.ts";

export interface Said {
  host: string;
  token: string;
  target: Target;
  findings: Findings | undefined;
  records: readonly DnsRecord[];
}

export function sentenceOf(problem: Problem, said: Said): string {
  return sentences[problem](said);
}

const sentences: Record<Problem, (said: Said) => string> = {
  unsure: ({ host }) =>
    `DNS could not be asked about ${host}. Nothing was changed; try again in a minute.`,
  resting: ({ host }) =>
    `${host} could not be verified for ${claimDaysMax} days, so DNS is not asked any more. Verify it to have it asked again.`,
  taken: ({ host }) => `Another workspace serves ${host}. If it is yours, ask them.`,
  ownership_missing: ({ host, token }) => {
    const { name, value } = ownershipRecord(host, token);
    return `No TXT record was found at ${name}. Add one that says ${value}.`;
  },
  ownership_wrong: ({ host, token, findings }) => {
    const { name, value } = ownershipRecord(host, token);
    return `The TXT record at ${name} says ${quoted(findings?.txt ?? [])} instead of ${value}.`;
  },
  traffic_missing: ({ host, records }) => `${host} leads nowhere yet. ${wanted(records)}`,
  traffic_elsewhere: ({ host, findings, records }) =>
    `${host} leads to ${shownOf(findings?.addresses ?? []).join(", ")}, which is not this installation alone. If a proxy of yours stands there, such as Cloudflare, all is well while the TXT record stays; if not: ${wanted(records)}`,
  target_unknown: () =>
    "Where this installation is reached from outside is not known. Its operator says so with FUXI_DOMAINS_TARGET.",
};

function quoted(texts: readonly string[]): string {
  return shownOf(texts)
    .map((text) => `"${text}"`)
    .join(", ");
}

function wanted(records: readonly DnsRecord[]): string {
  const traffic = records.filter(({ purpose }) => purpose === "traffic");
  return traffic.map(({ type, name, value }) => `Add ${type} ${name} → ${value}.`).join(" ");
}
