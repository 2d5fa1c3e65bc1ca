const timeoutMs = 5_000;
const bytesMax = 1_000_000;

/** Errors do not contain the URL, because it has a key. */
export async function fetchJson(service: string, address: URL): Promise<unknown> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${service} returned status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`${service} sent more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString());
}
