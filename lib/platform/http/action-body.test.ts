import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSocket } from "../../../test/raw-http.ts";
import { isActionBody, passAction } from "./action-body.ts";

const text = "text/plain;charset=UTF-8";
const multipart = "multipart/form-data; boundary=edge";

/** A form with these parts: name, content, and the rest of its head. */
function formOf(...parts: [name: string, content: string, more?: string][]): string {
  const bodies = parts.map(
    ([name, content, more = ""]) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`,
  );
  return `${bodies.join("")}--edge--\r\n`;
}

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each([
  ["no arguments", "[]"],
  ["texts, numbers and null", '["slug",-1,null,true,"$undefined","$$price"]'],
  ["lists and objects", '["slug",[{"linkIds":["a","b"],"archived":true}]]'],
  ["an object that occurs twice", '["slug",[{"linkIds":["a"]},{"linkIds":"$0:1:0:linkIds"}]]'],
  ["32 levels", nested(32)],
])("a text with %s passes", async (_what, body) => {
  expect(await isActionBody(Buffer.from(body), text)).toBe(true);
});

test.each([
  ["nothing", ""],
  ["half of a list", '["a"'],
  ["no list", '{"a":1}'],
  ["a text", '"a"'],
  ["33 levels", nested(33)],
  ["60,000 opened lists", "[".repeat(60_000)],
  ["a name of prototypes", '[{"__proto__":{"then":1}}]'],
  ["a form that was not sent", '["$K1"]'],
  ["a reference to nothing", '["$0:1:a"]'],
  ["a reference to an inherited field", '["$0:1:__proto__",[]]'],
  ["a reference to a text", '["$0:1","x"]'],
])("a text with %s is refused", async (_what, body) => {
  expect(await isActionBody(Buffer.from(body), text)).toBe(false);
});

test.each([
  ...["$1", "$@1", "$Q1", "$W1", "$h1", "$F1", "$B1", "$T", "$i1", "$r1", "$x1", "$A1", "$Y"].map(
    (one) => JSON.stringify([one]),
  ),
  ...["$n12", "$D2026-01-01", "$S", "$-0", "$NaN", "$Infinity", "$", "$1:__proto__:then"].map(
    (one) => JSON.stringify([{ inside: [one] }]),
  ),
])("%s has a type that no action takes, and is refused", async (body) => {
  expect(await isActionBody(Buffer.from(body), text)).toBe(false);
});

test.each(["\0", "\x08", "\x0b", "\x1f", "\x7f"])(
  "a form with %j in the head of a part is refused, and in a value it passes",
  async (control) => {
    const named = formOf([`_1_na${control}me`, "x"], ["0", '["$K1"]']);
    const typed = formOf(["_1_name", "x", `\r\nContent-Type: text/${control}`], ["0", '["$K1"]']);
    const valued = formOf(["_1_name", `x${control}`], ["0", '["$K1"]']);
    expect(await isActionBody(Buffer.from(named), multipart)).toBe(false);
    expect(await isActionBody(Buffer.from(typed), multipart)).toBe(false);
    expect(await isActionBody(Buffer.from(valued), multipart)).toBe(true);
  },
);

test.each(["\r", "\n"])(
  "a form with %j alone between two lines of a head is refused",
  async (half) => {
    const file = `; filename="a.png"${half}-Type: image/png`;
    const body = formOf(["_1_name", "x", file], ["0", '["$K1"]']);
    expect(await isActionBody(Buffer.from(body), multipart)).toBe(false);
  },
);

test("a form with its fields passes", async () => {
  const body = formOf(["_1_name", "$T"], ["_1_name", "again"], ["0", '["slug","$K1"]']);
  expect(await isActionBody(Buffer.from(body), multipart)).toBe(true);
});

test.each([
  ["without arguments", formOf(["_1_name", "x"])],
  ["with arguments twice", formOf(["0", "[]"], ["0", "[]"])],
  ["with a file of arguments", formOf(["0", "[]", '; filename="x"'])],
  ["with a second part of arguments", formOf(["0", '["$K1"]'], ["1", "[]"])],
  ["with an action of a page without scripts", formOf(["0", "[]"], ["$ACTION_ID_0", ""])],
  ["without an end", formOf(["0", "[]"]).slice(0, -6)],
  ["without names", "--edge\r\nX: y\r\n\r\nz\r\n--edge--\r\n"],
  ["that is none", "garbage"],
  ["that is empty", ""],
])("a form %s is refused", async (_what, body) => {
  expect(await isActionBody(Buffer.from(body), multipart)).toBe(false);
});

test.each(["multipart/form-data", "multipart/form-data; boundary=", "multipart/x; boundary=edge"])(
  "a form of the type %s is refused",
  async (type) => {
    expect(await isActionBody(Buffer.from(formOf(["0", "[]"])), type)).toBe(false);
  },
);

const server = createServer((req, res) => {
  void passAction(req, res, (whole) => {
    expect(Readable.isDisturbed(whole)).toBe(false);
    whole.pipe(res);
  });
});
let port = 0;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => void server.close());

/** The answer to a request for an action, whose body is sent in these pieces. */
async function post(pieces: string[], headers: string[] = []): Promise<string> {
  const socket = await openTestSocket(port);
  const lines = [
    "POST / HTTP/1.1",
    "Host: x",
    "Connection: close",
    "Next-Action: 0",
    `Content-Type: ${text}`,
    `Content-Length: ${pieces.join("").length}`,
    ...headers,
  ];
  const arrived = once(server, "request");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await arrived;
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await socket.closed;
}

test.each([[['["slug",null]']], [['["sl', 'ug",', "null]"]], [["[", '"x",'.repeat(20_000), "0]"]]])(
  "the next reader of a request gets its whole body",
  async (pieces) => {
    const answer = await post(pieces);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.replaceAll(/\r\n[0-9a-f]+\r\n/g, "")).toContain(pieces.join("").slice(0, 10_000));
  },
);

test("a request whose body no action can take gets 400, and so does one without a body", async () => {
  expect(await post(['["$T"]'])).toMatch(/^HTTP\/1\.1 400 /);
  expect(await post([])).toMatch(/^HTTP\/1\.1 400 /);
});

test("a body that is cut off reaches no reader", async () => {
  const socket = await openTestSocket(port);
  const arrived = once(server, "request");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nNext-Action: 0\r\nContent-Length: 9\r\n\r\n[1");
  const [req] = await arrived;
  const closed = new Promise((resolve) => req.once("close", resolve));
  socket.end();
  await closed;
  expect(req.readableFlowing).not.toBe(true);
});
