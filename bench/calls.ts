/** API calls that create links, as scripts of wrk. */

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
