/** Answers to what is no request, or none for us: written by hand, because Node makes no response for them. */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** All that something here understands; each resource says for itself which of them it takes. */
const notAllowed = "405 Method Not Allowed\r\nAllow: GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
const requestLine = /^[\w!#$%&'*+.^`|~-]{1,32} [^ ]{1,2048} HTTP\/1\.[01]\r\n/;

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Answers what is no request that Node can read. Whole ones before it on the connection are answered first. */
export function refuseClient(error: ClientError, socket: Duplex): void {
  const answer = answerUnderWay(socket);
  if (answer?.req.complete && error.code?.startsWith("HPE_")) {
    answer.once("finish", () => refuseClient(error, socket));
  } else if (answer?.headersSent) {
    // Inside an answer, a second head would be read as a part of it.
    socket.destroy();
  } else {
    end(socket, statusOf(error));
  }
}

function statusOf({ code = "", rawPacket }: ClientError): string {
  if (code === "HPE_INVALID_METHOD" && requestLine.test(rawPacket?.toString("latin1") ?? "")) {
    return notAllowed;
  }
  return refusals[code] ?? "400 Bad Request";
}

/** A client that takes us for its proxy wants a tunnel. */
export function refuseTunnel(_req: IncomingMessage, socket: Duplex): void {
  // Node has let go of this socket: an error of it would end the process.
  socket.on("error", () => socket.destroy());
  end(socket, notAllowed);
}

/** A client that does not hang up is not waited for. */
function end(socket: Duplex, status: string): void {
  if (!socket.writable) return; // the last answer ends it, or the client has
  const head = `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}

/** Sound because what Node keeps there is believed only when it is a response. */
function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage: message } = socket as { _httpMessage?: unknown };
  return message instanceof ServerResponse ? message : undefined;
}
