/**
 * The serialized form of a click. Redirects write thousands of events a second, so a group is one
 * text: fields are separated by US (0x1f) and events by RS (0x1e), which the HTTP parser accepts
 * nowhere.
 *
 *     at US link US workspace US domain US flags US user agent US referer US language US query US url RS …
 *
 * Addresses are encrypted per group (one AES-GCM call instead of one per event) with the key of the
 * day, which is erased with its salt.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export const fieldEnd = "\x1f";
export const eventEnd = "\x1e";
export const formatVersion = "1";

/** Letters in `flags`. Two capitals are the country. `open`: an app reported the click. `own`: a browser that isn’t counted. */
export const flag = { scan: "q", head: "h", prefetch: "p", open: "o", own: "w" } as const;

/** UUIDs follow the flags, each after its mark. No letter of a UUID is a flag. */
export const idMarks = { contact: "~", click: "=" } as const;

interface VisitIds {
  click: string | undefined;
  contact: string | undefined;
}

const noIds: VisitIds = { click: undefined, contact: undefined };

export function idsIn(flags: string): VisitIds {
  const at = flags.indexOf(idMarks.click);
  if (at < 0) return noIds;
  const contact = flags.slice(0, at).split(idMarks.contact, 2)[1];
  return { click: flags.slice(at + 1), contact };
}

export function countryIn(flags: string): string {
  return /[A-Z]{2}/.exec(flags)?.[0] ?? "";
}

export interface ClickEvent {
  at: number;
  linkPk: number;
  workspacePk: number;
  domainPk: number;
  flags: string;
  userAgent: string;
  referer: string;
  language: string;
  query: string;
  url: string;
  /** Empty if the key of the day was erased. */
  address: string;
}

const ivBytes = 12;
const tagBytes = 16;
/** Random bytes for one IV cost as much as for many. */
const ivsAtOnce = 256;
let ivs = Buffer.alloc(0);

function nextIv(): Buffer {
  if (ivs.length === 0) ivs = randomBytes(ivBytes * ivsAtOnce);
  const iv = ivs.subarray(0, ivBytes);
  ivs = ivs.subarray(ivBytes);
  return iv;
}

/** Encrypts the addresses of a group: iv, tag, text. */
export function sealAddresses(addresses: string, key: Buffer): Buffer {
  const iv = nextIv();
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = cipher.update(addresses, "latin1");
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** The addresses of a group in the order of its events. Empty if they cannot be decrypted. */
export function openAddresses(sealed: Buffer, key: Buffer): string[] {
  if (sealed.length < ivBytes + tagBytes) return [];
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, ivBytes));
    decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    const body = decipher.update(sealed.subarray(ivBytes + tagBytes));
    return Buffer.concat([body, decipher.final()]).toString("latin1").split(fieldEnd);
  } catch {
    // Modified, or encrypted with another key. The clicks still count, without their location.
    return [];
  }
}

/** Throws a SyntaxError if the text is not a group. */
export function parseEvents(text: string, addresses: readonly string[]): ClickEvent[] {
  const records = text.split(eventEnd);
  if (records.pop() !== "") throw new SyntaxError("The last event is incomplete");
  const decode = isAscii(text) ? asItIs : decodeUtf8;
  return records.map((record, at) => parseEvent(record, addresses[at] ?? "", decode));
}

type Decode = (bytes: string) => string;

function parseEvent(record: string, address: string, decode: Decode): ClickEvent {
  const fields = record.split(fieldEnd);
  if (fields.length !== 10) throw new SyntaxError("An event needs ten fields");
  const [at = "", link = "", workspace = "", domain = "", flags = ""] = fields;
  const [, , , , , userAgent = "", referer = "", language = "", query = "", url = ""] = fields;
  return {
    at: integerOf(at),
    linkPk: integerOf(link),
    workspacePk: integerOf(workspace),
    domainPk: integerOf(domain),
    flags,
    userAgent: decode(userAgent),
    referer: decode(referer),
    language: decode(language),
    query: decode(query),
    url: decode(url),
    address,
  };
}

function integerOf(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) {
    throw new SyntaxError("The first four fields of an event are numbers");
  }
  return number;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no decoding
  return /^[\x00-\x7f]*$/.test(text);
}

const asItIs: Decode = (bytes) => bytes;

/** Header bytes are stored one to one. Most non-ASCII ones are UTF-8. */
const decodeUtf8: Decode = (bytes) =>
  isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
