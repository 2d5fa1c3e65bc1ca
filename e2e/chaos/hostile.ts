/** Malicious requests, generated from a seed, and parsing of their responses. */
import { connect } from "node:net";

export type Random = (below: number) => number;

/** Seeded random numbers (mulberry32). */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Part of everything that is sent and could be reflected in a head. */
export const mark = "eViLmArK";

export interface Attack {
  from: string;
  text: string;
  /** For valid requests: each is answered, in this order. */
  methods: string[] | undefined;
  requests: number;
  /** The client disconnects: at once, or with a half-close. */
  leaves: "at once" | "when sent" | "when answered";
}

export interface Targets {
  keys: string[];
  hosts: string[];
}

const methods = [
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "DELETE",
  "TRACE",
  "PROPFIND",
];
const texts = [
  "'\"><script>alert(1)</script>",
  "%0d%0aSet-Cookie:%20x=1%0d%0a%0d%0a",
  "%E5%98%8A%E5%98%8DSet-Cookie:x",
  "../../../etc/passwd",
  "%2e%2e%2f%2e%2e%2f",
  "%00",
  "%ff%fe",
  "%c0%af",
  "%ED%A0%80",
  "%u0041",
  "%",
  "%2",
  "\\evil.example",
  "/evil.example/%2f..",
  ";jsessionid=1",
  "$&{7*7}",
  "__proto__",
  "constructor",
  "_root",
  "|cat",
  "+",
];
const fields = [
  "Referer",
  "User-Agent",
  "Accept-Language",
  "Cookie",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "Origin",
  "Sec-Purpose",
  "If-None-Match",
  "Range",
  "Authorization",
  "Content-Type",
  "X-Http-Method-Override",
  "Via",
  "TE",
  "Accept",
  "Forwarded",
  "Upgrade-Insecure-Requests",
];

export function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[random(from.length)];
  if (one === undefined) throw new Error("Nothing to pick from");
  return one;
}

export function addressOf(random: Random): string {
  return `127.${1 + random(250)}.${random(250)}.${1 + random(250)}`;
}

function pathOf(random: Random, { keys }: Targets): string {
  const kind = random(10);
  const hit = pick(random, keys);
  if (kind < 2) return `/${hit}`;
  if (kind < 3)
    return `/${hit}${pick(random, ["/", "//", "+", "/x/y", "/../z", ".", "%2F", "/%00"])}`;
  if (kind < 4) return `/${hit}?${mark}=${pick(random, texts)}&qr=1`;
  // Mostly from a pool, so that caches reach their limit soon.
  if (kind < 7) return `/${mark}${random(2_000)}`;
  if (kind < 8) return `/${pick(random, texts)}${mark}`;
  if (kind < 9)
    return `/%${random(256).toString(16).padStart(2, "0")}${mark}%${random(256).toString(16)}`;
  return `/${mark}-${random(1e9)}${"k".repeat(random(40) === 0 ? random(60_000) : random(40))}`;
}

function hostOf(random: Random, { hosts }: Targets): string {
  if (random(8) > 0) return pick(random, hosts);
  return pick(random, [
    `${mark}.example`,
    `${mark}${random(500)}.example:80`,
    "b\xc3\xbccher.example",
    "\xff\xfe",
    "[::1]",
    "[::ffff:127.0.0.1]:99999",
    "",
    "a,b",
    "localhost.",
    `${mark}@localhost`,
    `${"a.".repeat(random(800))}example`,
  ]);
}

function fieldText(random: Random): string {
  if (random(60) === 0)
    return `${mark}${pick(random, ["x", "x-", "a=b; ", "en-US,en;q=0.1,", "\xff", "Mozilla/5.0 ("]).repeat(5_000 + random(5_000))}`.slice(
      0,
      65_536,
    );
  return `${mark}${pick(random, texts).replaceAll("%0d%0a", "\t")}`;
}

function headOf(random: Random, aims: Targets, method: string): string {
  const lines = [`${method} ${pathOf(random, aims)} HTTP/1.1`, `Host: ${hostOf(random, aims)}`];
  for (let left = random(5); left > 0; left--)
    lines.push(`${pick(random, fields)}: ${fieldText(random)}`);
  return lines.join("\r\n");
}

/** Valid requests with arbitrary content. */
function ordinary(random: Random, aims: Targets): Attack {
  const sent: string[] = [];
  let text = "";
  const count = 1 + random(8);
  for (let at = 1; at <= count; at++) {
    const method = pick(random, methods);
    sent.push(method);
    const body = random(4) === 0 || method === "POST" ? `x=${mark}` : "";
    text += `${headOf(random, aims, method)}\r\n`;
    if (body) text += `Content-Length: ${body.length}\r\n`;
    text += `${at === count ? "Connection: close\r\n" : ""}\r\n${body}`;
  }
  return {
    from: addressOf(random),
    text,
    methods: sent,
    requests: count,
    leaves: "when answered",
  };
}

const smuggling: ((head: string) => string)[] = [
  (head) => `${head}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
  (head) => `${head}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
  (head) => `${head}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  (head) => `${head}\r\nTransfer-Encoding: x${mark}\r\n\r\n0\r\n\r\n`,
  (head) => `${head}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  (head) => `${head}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n${mark}`,
  (head) =>
    `${head}\r\nTransfer-Encoding: chunked\r\n\r\n3;${mark}=${"x".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
  (head) => `${head}\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc`,
  (head) => `${head}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${mark}: trailer\r\n\r\n`,
  (head) => `${head}\r\nContent-Length: -1\r\n\r\n`,
  (head) => `${head}\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  (head) => `${head}\r\nContent-Length: 3, 3\r\n\r\nabc`,
  (head) => `${head}\r\nHost: ${mark}.example\r\n\r\n`,
  (head) => `${head}\r\n ${mark}: folded\r\n\r\n`,
  (head) => `${head}\nX: bare\n\n`,
  (head) => `${head}\rX: bare\r\r`,
  (head) => `${head}\r\nX: \0${mark}\r\n\r\n`,
  (head) => `${head}\r\n\xff\xfe: ${mark}\r\n\r\n`,
  (head) => `${head}\r\n: ${mark}\r\n\r\n`,
  (head) => `${head}\r\nX: ${mark}${"y".repeat(160_000)}\r\n\r\n`,
  (head) => `${head}\r\n${"Y: z\r\n".repeat(3_000)}\r\n`,
  (head) => `${head}\r\nExpect: ${mark}\r\n\r\n`,
  (head) => `${head}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`,
  (head) => `${head}\r\nConnection: Upgrade\r\nUpgrade: ${mark}\r\n\r\n`,
  (head) => `${head.replace("HTTP/1.1", "HTTP/1.0\r\nConnection: keep-alive")}\r\n\r\n`,
  (head) => `${head.replace("HTTP/1.1", "HTTP/9.9")}\r\n\r\n`,
  (head) => `${head.replace(" HTTP/1.1", "")}\r\n\r\n`,
  (head) => `${head.replace(/ \//, " http://user:pw@localhost/")}\r\n\r\n`,
  (head) => `${head.replace(/ \//, ` http://${mark}.example/`)}\r\n\r\n`,
  (head) => `${head.replace(/ \//, " //")}\r\n\r\n`,
  (head) => `${head.replace(/ \//, " ftp://x/")}\r\n\r\n`,
  (head) => `${head.replace(/^\w+ \S+/, "OPTIONS *")}\r\n\r\n`,
  (head) => `${head.replace(/^\w+ \S+/, `CONNECT ${mark}:443`)}\r\n\r\n`,
  (head) => `${head.replace(/^\w+/, `${mark}`)}\r\n\r\n`,
  (head) => `${head.replace(/^\w+/, "G\0T")}\r\n\r\n`,
  (head) => `${head.replace(/ \/\S*/, " /\xe4\xb8\xad\x01")}\r\n\r\n`,
  (head) => `${head}\r\n\r\n${head}\r\n\r\n${mark}`,
  (head) => head.slice(0, head.length >> 1),
  () => `GET /${mark}\r\n`,
  () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0`,
  () => `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${mark}`,
  () => "\r\n".repeat(200),
  () => "\0".repeat(500),
];

/** Invalid requests. */
function invalid(random: Random, aims: Targets): Attack {
  const break_ = pick(random, smuggling);
  const method = pick(random, ["GET", "GET", "POST", "OPTIONS"]);
  const text = break_(headOf(random, aims, method));
  const cut = random(6) === 0 ? text.slice(0, random(text.length)) : text;
  const leaves = random(5) === 0 ? "at once" : "when sent";
  return { from: addressOf(random), text: cut, methods: undefined, requests: 1, leaves };
}

export function makeShot(random: Random, aims: Targets): Attack {
  // Valid ones have 4.5 requests each: as many requests of either kind.
  return random(11) < 2 ? ordinary(random, aims) : invalid(random, aims);
}

/** Everything received until the connection closed; undefined when it was still open after `waitMs`. */
export function fire(port: number, shot: Attack, waitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: shot.from });
    let text = "";
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, waitMs);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined); // a reset is one way of closing
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    if (shot.leaves === "when sent") socket.end(shot.text, "latin1");
    else socket.write(shot.text, "latin1", () => shot.leaves === "at once" && socket.destroy());
  });
}

export interface ResponseHead {
  status: number;
  lines: string[];
}

/** The heads of consecutive responses. Throws for bytes between them that belong to none. */
export function headsIn(text: string, sent: string[] | undefined): ResponseHead[] {
  const heads: ResponseHead[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\r\n\r\n", at);
    const head = readHead(text.slice(at, end < 0 ? undefined : end));
    if (end < 0) break; // cut off by the disconnected client
    at = end + 4;
    if (head.status === 100) continue;
    const method = sent?.[heads.length];
    heads.push(head);
    if (hasBody(text, at, head, method)) at = endOfBody(text, at, head.lines);
  }
  return heads;
}

/** The method of an invalid request is unknown: then a head follows at once, or nothing, or a body. */
function hasBody(
  text: string,
  at: number,
  { status }: ResponseHead,
  method: string | undefined,
): boolean {
  if (status === 204 || method === "HEAD") return false;
  return method !== undefined || (at < text.length && !text.startsWith("HTTP/1.1 ", at));
}

function readHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (!status) throw new Error(`No head of an answer: ${JSON.stringify(text.slice(0, 200))}`);
  return { status, lines };
}

function endOfBody(text: string, at: number, lines: string[]): number {
  if (!lines.some((line) => /^transfer-encoding: chunked$/i.test(line))) {
    const length = lines.find((line) => /^content-length: /i.test(line))?.slice(16);
    if (length !== undefined) return at + Number(length);
    // HTTP/1.0: the end of the connection is the end of the body.
    return lines.some((line) => /^connection: close$/i.test(line)) ? text.length : at;
  }
  for (let from = at; ; ) {
    const end = text.indexOf("\r\n", from);
    const size = Number.parseInt(text.slice(from, end), 16);
    if (end < 0 || Number.isNaN(size)) return text.length;
    from = end + 2 + size + 2;
    if (size === 0) return from;
  }
}
