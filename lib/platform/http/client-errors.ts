/** Responses to invalid requests, for which Node creates no response object. */
import { type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

const lateCode = "ERR_HTTP_REQUEST_TIMEOUT";
const lateStatus = "408 Request Timeout";
/** Node reports all late connections at once; refusing a thousand takes 50 ms. */
const latePerTurn = 32;

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

const notAllowed = "405 Method Not Allowed\r\nAllow: GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
const requestLine = /^[\w!#$%&'*+.^`|~-]{1,32} [^ ]{1,2048} HTTP\/1\.[01]\r\n/;

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Answers a request that Node cannot parse, after earlier requests on the connection. */
export function refuseClient(error: ClientError, socket: Duplex): void {
  const answer = responseInProgress(socket);
  if (answer?.req.complete && error.code?.startsWith("HPE_")) {
    answer.once("finish", () => refuseClient(error, socket));
  } else if (answer?.headersSent) {
    // A second head within a response would be read as its body.
    socket.destroy();
  } else if (error.code === lateCode) {
    if (late.push(socket) === 1) setImmediate(refuseLate);
  } else {
    end(socket, statusOf(error));
  }
}

const late: Duplex[] = [];

function refuseLate(): void {
  for (const socket of late.splice(0, latePerTurn)) {
    // A client that sent nothing is not waiting for an answer.
    if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
    else end(socket, lateStatus);
  }
  if (late.length > 0) setImmediate(refuseLate);
}

function statusOf({ code = "", rawPacket }: ClientError): string {
  if (code === "HPE_INVALID_METHOD" && requestLine.test(rawPacket?.toString("latin1") ?? "")) {
    return notAllowed;
  }
  return statusLines[code] ?? "400 Bad Request";
}

export function refuseTunnel(_req: IncomingMessage, socket: Duplex): void {
  // Node no longer handles this socket, so its errors would end the process.
  socket.on("error", () => socket.destroy());
  end(socket, notAllowed);
}

function end(socket: Duplex, status: string): void {
  if (!socket.writable) return;
  const head = `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}

/** Sound because Node's value is checked to be a response. */
function responseInProgress(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage: message } = socket as { _httpMessage?: unknown };
  return message instanceof ServerResponse ? message : undefined;
}
