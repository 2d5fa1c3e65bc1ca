/** Calls of the API that make links, as scripts of wrk. */

/** The key that a bench gives its owner. */
export const apiKey = "fuxi_benchbenchbenchbenchbenchbench";
export const owner = { email: "bench@example.com", password: "bench bench bench", apiKey };

const json = `["Authorization"] = "Bearer ${apiKey}", ["Content-Type"] = "application/json"`;
/** Every link has an address of its own, so that an index of addresses is not spared. */
const addressOf = `'{"url":"https://shop.example.com/orders/' .. run .. at .. '?utm_source=sms"}'`;

/** Addresses of two loads must differ: what is the same costs an index less. */
function head(more = ""): string {
  return `local run, at = "${Date.now().toString(36)}-", 0
local headers = { ${json}${more} }`;
}

/** One link a call. `pauseMs` lets every connection wait before each. */
export function singleCreates(pauseMs = 0): string {
  const pause = pauseMs > 0 ? `function delay() return ${pauseMs} end` : "";
  return `${head()}
${pause}
function request()
  at = at + 1
  return wrk.format("POST", "/api/links", headers, ${addressOf})
end`;
}

/** Many links a call, answered as id, key and shortLink. */
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
