/** The questions of the analytics page, as it asks them over HTTP. */
import { apiKey } from "./calls.ts";

export type ApiQuery = Readonly<Record<string, string>>;

export const intervals = ["24h", "7d", "30d", "90d", "1y", "all"];

/** The queries of a page when it opens. */
export const pageCards: readonly ApiQuery[] = [
  { groupBy: "count", bots: "true", compare: "previous" },
  { groupBy: "triggers" },
  { groupBy: "timeseries", compare: "previous" },
  { groupBy: "top_links" },
  { groupBy: "referers" },
  { groupBy: "countries" },
  { groupBy: "devices" },
  { groupBy: "hours" },
];

const zone = "Europe/Berlin";
/** Rows per card of the page. */
const rowsOfPage = "250";

/** One query, to its last byte, in milliseconds. */
export async function askCard(port: number, params: ApiQuery): Promise<number> {
  return await ask(port, "/api/analytics", { timezone: zone, limit: rowsOfPage, ...params });
}

/** The same for any path of the API. */
export async function ask(port: number, path: string, params: ApiQuery): Promise<number> {
  const query = new URLSearchParams(params);
  const begin = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}?${query}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${query} answered ${response.status}: ${text}`);
  return performance.now() - begin;
}

/** All cards at once, as in a browser; the page is complete with the last of them. */
export async function askPage(port: number, params: ApiQuery): Promise<number> {
  const cards = pageCards.map((card) => askCard(port, { ...card, ...params }));
  return Math.max(...(await Promise.all(cards)));
}

/** The 95th percentile of a few times. */
export function p95Of(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
