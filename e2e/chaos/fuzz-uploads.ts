/** Generated uploads: CSV files and logos, valid, damaged and cut off. */
import sharp from "sharp";
import { type Attack, addressOf, pick, type Random } from "./hostile.ts";

export interface UploadTargets {
  host: string;
  apiKey: string;
  /** Valid images of each format. */
  images: readonly Buffer[];
}

export async function makeImages(): Promise<Buffer[]> {
  const square = sharp({
    create: { width: 40, height: 30, channels: 3, background: { r: 9, g: 9, b: 200 } },
  });
  return await Promise.all([
    square.clone().png().toBuffer(),
    square.clone().jpeg().toBuffer(),
    square.clone().webp().toBuffer(),
    square.clone().gif().toBuffer(),
    Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  ]);
}

const cells = [
  ...["https://example.com/", "url", "key", "tags", "a b", "", "\0", "\ud83d", "\u202e", '"', '""'],
  ...[
    "=1+1",
    "javascript:alert(1)",
    "2026-01-01",
    "9e999",
    "__proto__",
    "é",
    "链接",
    "x".repeat(9_000),
  ],
];
const marks = [
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xfe, 0xff]),
  Buffer.from("PK\x03\x04"),
  Buffer.from([0x1f, 0x8b, 8]),
  Buffer.from("%PDF-1.7"),
  Buffer.alloc(4),
];

function csvOf(random: Random): Buffer {
  const delimiter = pick(random, [",", ",", ";", "\t", "|", "\0"]);
  const end = pick(random, ["\n", "\r\n", "\r", "\n\n"]);
  const quoted = (cell: string) => (random(4) === 0 ? `"${cell}"` : cell);
  const row = () =>
    Array.from({ length: 1 + random(6) }, () => quoted(pick(random, cells))).join(delimiter);
  const rows = Array.from({ length: random(20) }, row).join(end);
  const text =
    random(3) === 0 ? rows : `url${delimiter}key${end}https://example.com/x${end}${rows}`;
  const encoding = pick(random, ["utf8", "utf8", "utf8", "utf16le", "latin1"] as const);
  const bytes = Buffer.from(text, encoding);
  return random(6) === 0 ? Buffer.concat([pick(random, marks), bytes]) : bytes;
}

function damaged(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = random(8); left > 0 && copy.length > 0; left--)
    copy[random(copy.length)] = random(256);
  return random(3) === 0 ? copy.subarray(0, random(copy.length + 1)) : copy;
}

const queries = [
  ...["?name=file.csv", "?name=", "?name=%00", "?delimiter=%2C", "?delimiter=x", "?x=1"],
  ...[`?name=${"x".repeat(500)}`, "?name=..%2F..%2Fetc", "?name=a&name=b"],
];
const types = [
  ...[
    "application/octet-stream",
    "image/webp",
    "text/csv; charset=x",
    "application/json",
    "multipart/form-data",
    "",
    "x",
  ],
];

/** One in six has no fault, so that of every run some are accepted. */
export function makeUpload(random: Random, aims: UploadTargets): Attack {
  return random(6) === 0 ? makeFaultless(random, aims) : makeDoubtful(random, aims);
}

function makeFaultless(random: Random, aims: UploadTargets): Attack {
  const isImage = random(2) === 0;
  const body = isImage
    ? pick(random, aims.images)
    : Buffer.from(`url\nhttps://example.com/${random(1_000)}\n`);
  const path = isImage ? "/api/qr-logos" : "/api/imports";
  const head = headOf(aims, path, isImage ? "image/png" : "text/csv", body.length);
  return {
    from: addressOf(random),
    text: head + body.toString("latin1"),
    methods: undefined,
    requests: 1,
    leaves: "when answered",
  };
}

/** `length`: undefined for a body that is sent in chunks. */
function headOf(
  { host, apiKey }: UploadTargets,
  path: string,
  type: string,
  length: number | undefined,
): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${apiKey}`,
    `Content-Type: ${type}`,
    length === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function makeDoubtful(random: Random, aims: UploadTargets): Attack {
  const isImage = random(2) === 0;
  const whole = isImage ? pick(random, aims.images) : csvOf(random);
  const large = isImage && random(60) === 0 ? Buffer.concat([whole, Buffer.alloc(600_000)]) : whole;
  const body = random(3) === 0 ? damaged(random, large) : large;
  const chunked = random(10) === 0;
  const length = body.length + (random(20) === 0 ? 1 + random(5_000) : 0);
  const query = random(3) === 0 ? pick(random, queries) : "";
  const path = isImage ? "/api/qr-logos" : `/api/imports${query}`;
  const usualType = isImage ? "image/png" : "text/csv";
  const type = random(4) === 0 ? pick(random, types) : usualType;
  const head = headOf(aims, path, type, chunked ? undefined : length);
  const text = body.toString("latin1");
  const end = pick(random, ["0\r\n\r\n", "0\r\n\r\n", "0\r\n\r\n", "", "zz\r\n"]);
  const sent = chunked ? `${body.length.toString(16)}\r\n${text}\r\n${end}` : text;
  const isCut = chunked ? end === "" : length > body.length;
  return {
    from: addressOf(random),
    text: head + sent,
    methods: undefined,
    requests: 1,
    leaves: leavingOf(random, isCut),
  };
}

/** A server drops a request whose sender has stopped sending, so only those that are cut off stop. */
function leavingOf(random: Random, isCut: boolean): Attack["leaves"] {
  if (isCut) return "when sent";
  return random(20) === 0 ? "at once" : "when answered";
}
