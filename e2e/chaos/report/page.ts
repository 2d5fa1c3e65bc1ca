/** The report as one page of Markdown: a row per fault. */
import { cpus, totalmem } from "node:os";

export interface FaultResult {
  name: string;
  /** Why this machine forbids it; the other figures are then of no fault. */
  forbidden: string | undefined;
  sent: number;
  answered: number;
  wrong: number;
  /** Answered with 503 and Retry-After. */
  later: number;
  unanswered: number;
  /** Redirected visits whose click could be stored nowhere, by the metric of the redirect. */
  lost: number;
  counted: number;
  acknowledged: number;
  found: number;
  longestVisitPauseMs: number;
  longestCreatePauseMs: number;
}

const columns: [string, (result: FaultResult) => number][] = [
  ["visits sent", ({ sent }) => sent],
  ["redirected", ({ answered }) => answered],
  ["wrong", ({ wrong }) => wrong],
  ["503", ({ later }) => later],
  ["unanswered", ({ unanswered }) => unanswered],
  ["known as lost", ({ lost }) => lost],
  ["counted", ({ counted }) => counted],
  ["links acknowledged", ({ acknowledged }) => acknowledged],
  ["found", ({ found }) => found],
  ["longest pause of redirects, ms", ({ longestVisitPauseMs }) => Math.round(longestVisitPauseMs)],
  ["of creates, ms", ({ longestCreatePauseMs }) => Math.round(longestCreatePauseMs)],
];

export function renderReport(results: readonly FaultResult[], faultMs: number): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const head = ["fault", ...columns.map(([name]) => name)];
  const ran = results.filter(({ forbidden }) => forbidden === undefined);
  const rows = ran.map((result) => [
    result.name,
    ...columns.map(([, of]) => of(result).toLocaleString("en")),
  ]);
  const forbidden = results.filter((result) => result.forbidden !== undefined);
  const total = (of: (result: FaultResult) => number) =>
    ran.reduce((sum, result) => sum + of(result), 0).toLocaleString("en");
  return `# Faults

${new Date().toISOString().slice(0, 10)}, ${machine}. ${ran.length} faults of ${faultMs / 1_000} s, or as long as a restart takes. One redirect, one API and one worker, each restarted when it ends, with a PostgreSQL and a Redis of their own.

Wrong answers: **${total(({ wrong }) => wrong)}**. Redirected visits: **${total(({ answered }) => answered)}**, of which clicks are missing for **${total(missing)}**. Acknowledged links: **${total(({ acknowledged }) => acknowledged)}**, of which missing: **${total(({ acknowledged, found }) => acknowledged - found)}**.

An unanswered visit may have been counted. The click of a redirected visit is known as lost if neither Redis nor the disk accepted it. A pause is the time in which no visitor was redirected, or no link was acknowledged.

${table(head, rows)}
${forbidden.length === 0 ? "" : `\nNot possible on this machine:\n\n${forbidden.map(({ name, forbidden: why }) => `- ${name}: ${why}`).join("\n")}\n`}`;
}

function missing({ answered, lost, counted }: FaultResult): number {
  return Math.max(0, answered - lost - counted);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_name, at) => (at === 0 ? "---" : "---:"));
  return `${[head, rule, ...rows].map(line).join("\n")}\n`;
}
