/**
 * Cost before identity: every route that accepts bytes from people without an account, or with the cheapest API key, with
 * its limit and the inputs that cost it most. e2e/chaos/worst-inputs.chaos.test.ts sends them, and fails for a route of the
 * API that is missing here.
 *
 * The inputs of a parser are made from what makes parsers slow: depth, width, repetition, entities, long tokens, ratio.
 */
import { worstImages, worstPages, worstTables } from "./worst-documents.ts";

export interface WorstInput {
  name: string;
  body: Buffer;
  /** Content-Type, if not that of the receiver. */
  type?: string;
}

export interface Receiver {
  method: "POST";
  /** Without `{id}`: an example that exists or not, whichever costs more. */
  path: string;
  sender: "anyone" | "key";
  /** The longest body. */
  bytesMax: number;
  type: string;
  headers?: Record<string, string>;
  inputs: (bytesMax: number) => WorstInput[];
}

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;
const json = "application/json";
const form = "application/x-www-form-urlencoded";

/** `unit` as often as fits between the two others. */
function filled(bytesMax: number, unit: string, start = "", end = ""): Buffer {
  const room = bytesMax - Buffer.byteLength(start) - Buffer.byteLength(end);
  return Buffer.from(start + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end);
}

/** `unit` for each number, as often as fits. */
function numbered(bytesMax: number, unit: (at: number) => string, start: string, end: string) {
  const parts: string[] = [];
  let room = bytesMax - start.length - end.length;
  for (let at = 0; ; at++) {
    const part = unit(at);
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    parts.push(part);
  }
  return Buffer.from(start + parts.join("") + end);
}

/** Bodies of JSON with these properties, each of which has the worst value. */
export function worstJson(bytesMax: number, properties: readonly string[] = []): WorstInput[] {
  const share = Math.floor(bytesMax / Math.max(properties.length, 1)) - 100;
  const withValues = (value: (bytes: number) => string) =>
    Buffer.from(
      `{${properties.map((name) => `${JSON.stringify(name)}:${value(Math.max(share, 4))}`).join()}}`,
    );
  const list = (bytes: number, one: string) => filled(bytes, `${one},`, "[", `${one}]`).toString();
  const inputs: WorstInput[] = [
    { name: "depth", body: filled(bytesMax, "[") },
    {
      name: "a list of lists",
      body: filled(bytesMax, `${"[".repeat(30)}${"]".repeat(30)},`, "[", "0]"),
    },
    { name: "names", body: numbered(bytesMax, (at) => `"a${at}":0,`, "{", '"z":0}') },
    { name: "one name again", body: filled(bytesMax, '"a":0,', "{", '"a":0}') },
    { name: "escapes", body: filled(bytesMax, "\\u00e4", '{"a":"', '"}') },
    { name: "one text", body: filled(bytesMax, "ä", '{"a":"', '"}') },
    { name: "one number", body: filled(bytesMax, "9", '{"a":', "}") },
    { name: "no JSON", body: filled(bytesMax, "}") },
  ];
  if (properties.length === 0) return inputs;
  return [
    ...inputs,
    { name: "long texts in fields", body: withValues((bytes) => `"${"a".repeat(bytes)}"`) },
    { name: "lists of numbers in fields", body: withValues((bytes) => list(bytes, "0")) },
    { name: "lists of texts in fields", body: withValues((bytes) => list(bytes, '"a"')) },
    { name: "lists of objects in fields", body: withValues((bytes) => list(bytes, "{}")) },
    {
      name: "objects with many names in fields",
      body: withValues((bytes) =>
        numbered(bytes, (at) => `"a${at}":"",`, "{", '"z":""}').toString(),
      ),
    },
  ];
}

function worstForm(bytesMax: number): WorstInput[] {
  return [
    { name: "fields", body: filled(bytesMax, "a&") },
    { name: "different fields", body: numbered(bytesMax, (at) => `a${at}=&`, "", "") },
    { name: "escapes", body: filled(bytesMax, "%E4%BD%A0", "a=") },
    { name: "broken escapes", body: filled(bytesMax, "%", "password=") },
    { name: "plus signs", body: filled(bytesMax, "+", "phone=") },
    { name: "one text", body: filled(bytesMax, "9", "phone=") },
  ];
}

function worstMultipart(bytesMax: number): WorstInput[] {
  const type = "multipart/form-data; boundary=b";
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  return [
    { name: "beginnings of its boundary", type, body: filled(bytesMax, "\r\n--", head) },
    { name: "a head that never ends", type, body: filled(64 * kilobyte, "a: b\r\n", "--b\r\n") },
    { name: "a file name", type, body: filled(16 * kilobyte, '\\"', head.slice(0, 60)) },
  ];
}

const image = (name: string, bytes: Buffer): WorstInput => ({
  name,
  body: Buffer.from(JSON.stringify({ image: bytes.toString("base64") })),
});

/** `{form}` and `{password}`: short links with them. `{campaign}`: the id of a campaign. */
export const receivers: readonly Receiver[] = [
  ...["/api/imports", "/api/campaigns/{campaign}/files"].map(
    (path): Receiver => ({
      method: "POST",
      path,
      sender: "key",
      // Up to 2 GB. Bytes are only stored, so a megabyte shows what all of them cost.
      bytesMax: megabyte,
      type: "text/csv",
      inputs: (bytesMax) => [...worstTables(bytesMax), ...worstMultipart(bytesMax)],
    }),
  ),
  ...["/api/qr-logos", "/api/social-images"].map(
    (path): Receiver => ({
      method: "POST",
      path,
      sender: "key",
      bytesMax: megabyte,
      type: json,
      inputs: () => worstImages().map(({ name, bytes }) => image(name, bytes)),
    }),
  ),
  ...["/api/links/bulk", "/api/campaigns/{campaign}/recipients"].map(
    (path): Receiver => ({
      method: "POST",
      path,
      sender: "key",
      bytesMax: 16 * megabyte,
      type: json,
      inputs: (bytesMax) => [
        { name: "empty objects", body: filled(bytesMax, "{},", "[", "{}]") },
        { name: "numbers", body: filled(bytesMax, "0,", "[", "0]") },
        {
          name: "deep objects",
          body: filled(bytesMax, `${"[".repeat(29)}${"]".repeat(29)},`, "[", "0]"),
        },
        { name: "one text", body: filled(bytesMax, "a", '["', '"]') },
        { name: "names", body: numbered(megabyte, (at) => `"a${at}":0,`, "[{", '"z":0}]') },
        { name: "blanks", body: filled(bytesMax, " ", "[", "]") },
      ],
    }),
  ),
  {
    method: "POST",
    path: "/api/mcp",
    sender: "key",
    bytesMax: megabyte,
    type: json,
    inputs: (bytesMax) => [
      ...worstJson(bytesMax, ["jsonrpc", "id", "method", "params"]),
      {
        name: "a batch",
        body: filled(bytesMax, '{"jsonrpc":"2.0","id":1,"method":"x"},', "[", "0]"),
      },
    ],
  },
  {
    method: "POST",
    path: "/api/track/click",
    sender: "anyone",
    bytesMax: 64 * kilobyte,
    type: "text/plain",
    inputs: (bytesMax) => worstJson(bytesMax, ["domain", "key", "url", "referrer"]),
  },
  {
    method: "POST",
    path: "/api/track/lead/client",
    sender: "anyone",
    bytesMax: 64 * kilobyte,
    type: "text/plain",
    inputs: (bytesMax) => worstJson(bytesMax, ["publicKey", "clickId", "metadata"]),
  },
  {
    method: "POST",
    path: "/api/track/sale/client",
    sender: "anyone",
    bytesMax: 64 * kilobyte,
    type: "text/plain",
    inputs: (bytesMax) => worstJson(bytesMax, ["publicKey", "amount", "metadata"]),
  },
  {
    method: "POST",
    path: "/api/campaigns/receipts/gw_unknown",
    sender: "anyone",
    bytesMax: 512 * kilobyte,
    type: json,
    inputs: (bytesMax) => [...worstJson(bytesMax), ...worstForm(bytesMax)],
  },
  {
    method: "POST",
    path: "/api/stripe/webhook",
    headers: { "Stripe-Signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}` },
    sender: "anyone",
    bytesMax: 256 * kilobyte,
    type: json,
    inputs: (bytesMax) => worstJson(bytesMax),
  },
  ...["/report", "/appeal", "/optout"].map(
    (path): Receiver => ({
      method: "POST",
      path,
      sender: "anyone",
      bytesMax: 64 * kilobyte,
      type: form,
      inputs: worstForm,
    }),
  ),
  {
    method: "POST",
    path: "/{form}",
    sender: "anyone",
    bytesMax: 32 * kilobyte,
    type: form,
    inputs: worstForm,
  },
  {
    method: "POST",
    path: "/{password}",
    sender: "anyone",
    bytesMax: 4 * kilobyte,
    type: form,
    inputs: worstForm,
  },
];

/** What a destination may answer to a suggestion of title and image. */
export const fetchedPages = worstPages;

/** The longest JSON body of all other operations. */
export const jsonBytesMax = megabyte;
