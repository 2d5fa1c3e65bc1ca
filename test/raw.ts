/** For contract tests: requests as they are written here and by no client library, and what the front answers. */
import { randomInt } from "node:crypto";
import { openTestSocket } from "./socket.ts";

export const origin = new URL(process.env["TEST_BASE_URL"] ?? "");

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RawAsked {
  method?: string;
  version?: string;
  /** Undefined: none is sent. */
  host?: string | undefined;
  headers?: string[];
  body?: string;
}

/** Of this file's tests alone, so that they miss no link on behalf of others. */
const from = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`;

/** Sends exactly this and reads until the connection ends. */
export async function askRaw(target: string, asked: RawAsked = {}): Promise<RawAnswer> {
  const { method = "GET", version = "1.1", headers = [], body = "" } = asked;
  const host = "host" in asked ? asked.host : origin.host;
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(headers.some((line) => line.startsWith("Connection:")) ? [] : ["Connection: close"]),
    ...headers,
  ];
  const socket = await openTestSocket(Number(origin.port), from);
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const text = await socket.closed;
  socket.end();
  return parse(text);
}

function parse(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(pairs),
    body: Buffer.from(text.slice(end + 4), "latin1").toString(),
  };
}
