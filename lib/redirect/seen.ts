/**
 * The few headers that a visit needs, read from the raw list.
 *
 * `req.headers` builds an object of every header at its first use, which costs 2 of the 10 microseconds that a visit
 * takes beyond bare node:http (bench/redirect). The raw list is there anyway. Results stand in one object that the next
 * visit overwrites: read them before anything is awaited.
 */
export const seen = { host: "", userAgent: "", referer: "", language: "", prefetch: false };

const wantedLengths = new Uint8Array(256);
for (const name of ["host", "user-agent", "referer", "accept-language", "sec-purpose", "purpose"]) {
  wantedLengths[name.length] = 1;
}

/** Fills `seen`. Of a header that is repeated the first counts, as for Node itself. */
export function readHeaders(raw: readonly string[]): void {
  seen.host = "";
  seen.userAgent = "";
  seen.referer = "";
  seen.language = "";
  seen.prefetch = false;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    // Most headers are of other lengths, and are passed over without a look at their text.
    if (wantedLengths[name.length] === 1) readHeader(name.toLowerCase(), raw[at + 1] ?? "");
  }
}

function readHeader(name: string, value: string): void {
  if (name === "host") seen.host ||= value;
  else if (name === "user-agent") seen.userAgent ||= value;
  else if (name === "referer") seen.referer ||= value;
  else if (name === "accept-language") seen.language ||= value;
  else if (name === "sec-purpose") seen.prefetch = true;
  else if (name === "purpose" && value === "prefetch") seen.prefetch = true;
}
