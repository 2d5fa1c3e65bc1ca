/** API calls that create links: as scripts of wrk, and links that a bench then visits. */
import { openApi } from "../test/http-client.ts";

/** The API key of a bench's owner. */
export const apiKey = "fuxi_benchbenchbenchbenchbenchbench";
export const owner = { email: "bench@example.com", password: "bench bench bench", apiKey };

const json = `["Authorization"] = "Bearer ${apiKey}", ["Content-Type"] = "application/json"`;
/** Every link has its own URL, so that the index on URLs has its full cost. */
const addressOf = `'{"url":"https://shop.example.com/orders/' .. run .. at .. '?utm_source=sms"}'`;

/** URLs of two loads must differ: equal ones cost an index less. */
function head(more = ""): string {
  return `local run, at = "${Date.now().toString(36)}-", 0
local headers = { ${json}${more} }`;
}

/** One link per call. `pauseMs` pauses every connection before each. */
export function singleCreates(pauseMs = 0): string {
  const pause = pauseMs > 0 ? `function delay() return ${pauseMs} end` : "";
  return `${head()}
${pause}
function request()
  at = at + 1
  return wrk.format("POST", "/api/links", headers, ${addressOf})
end`;
}

/** Many links per call, returned as id, key and shortLink. */
export function bulkCreates(rows: number): string {
  return `${head(', ["Prefer"] = "return=minimal"')}
function request()
  local rows = {}
  for row = 1, ${rows} do
    at = at + 1
    rows[row] = ${addressOf}
  end
  return wrk.format("POST", "/api/links/bulk", headers, "[" .. table.concat(rows, ",") .. "]")
end`;
}

const bulkRows = 1_000;

/** Creates links of a URL each; their keys. */
export async function createLinks(url: string, count: number): Promise<string[]> {
  const call = openApi(url, apiKey);
  const keys: string[] = [];
  while (keys.length < count) {
    const rows = Array.from({ length: bulkRows }, (_, at) => ({
      url: `https://example.com/a/destination/of/usual/length?with=a&few=${keys.length + at}`,
    }));
    const { status, body } = await call("POST", "/links/bulk", rows);
    if (status !== 200) throw new Error(`Bulk creates answered ${status}`);
    for (const { key } of body) keys.push(key);
  }
  return keys;
}

/** The destination of a row of a file. */
export function productUrlOf(row: number): string {
  return `https://shop.example.com/products/${row % 997}?order=${row}&ref=newsletter`;
}
