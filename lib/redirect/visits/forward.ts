/** Passing parts of a visit's address on. Everything is text work: what the owner wrote stays as it was written. */

/** The destination with the visitor's parameters behind its own. Those of the link win; `qr=1` is ours. */
export function withQuery(url: string, query: string): string {
  const hashAt = url.indexOf("#");
  const base = hashAt < 0 ? url : url.slice(0, hashAt);
  const own = new Set(
    partsOf(base.includes("?") ? base.slice(base.indexOf("?") + 1) : "").map(nameOf),
  );
  const added = partsOf(textOf(query).split("#", 1)[0] ?? "").filter(
    (part) => part !== "qr=1" && !own.has(nameOf(part)),
  );
  if (added.length === 0) return url;
  const join = !base.includes("?") ? "?" : /[?&]$/.test(base) ? "" : "&";
  return `${base}${join}${added.join("&")}${hashAt < 0 ? "" : url.slice(hashAt)}`;
}

function partsOf(query: string): string[] {
  return query.split("&").filter((part) => part !== "");
}

function nameOf(part: string): string {
  const raw = (part.split("=", 1)[0] ?? "").replaceAll("+", " ");
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw; // no escape that means anything
  }
}

/** Bytes above ASCII come as one character each. */
function textOf(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no decoding
  return /^[\x00-\x7f]*$/.test(raw) ? raw : Buffer.from(raw, "latin1").toString("utf8");
}

/** The destination with the rest of the visit's path (`/a/b`) behind its own path. */
export function withPath(url: string, rest: string): string {
  if (rest === "") return url;
  const end = url.search(/[?#]/);
  const base = end < 0 ? url : url.slice(0, end);
  return `${base.replace(/\/+$/, "")}${textOf(rest)}${end < 0 ? "" : url.slice(end)}`;
}

// Dot segments and empty ones would lead out of the destination's path; the others cut lines or stand for a slash.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafe = /[\x00-\x1f\x7f\\]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;
const prefixesMax = 8;

export interface Split {
  /** What is before the rest: the path of a key. */
  path: string;
  rest: string;
}

/** The ways to read a path as a key and a rest, the longest key first; none for a rest that may not be passed on. */
export function splitsOf(path: string): Split[] {
  const splits: Split[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const rest = path.slice(at);
    if (splits.length === prefixesMax || !isSafe(rest)) break;
    splits.push({ path: path.slice(0, at), rest });
  }
  return splits;
}

function isSafe(rest: string): boolean {
  try {
    return !unsafe.test(decodeURIComponent(rest));
  } catch {
    return false; // a broken escape
  }
}
