/**
 * A DNS server on loopback for tests: UDP, and TCP for answers that exceed UDP.
 *
 * Tests define its names. An undefined name answers NXDOMAIN, one without a record of the requested type answers empty.
 */
import { createSocket } from "node:dgram";
import { createServer, type Socket } from "node:net";
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type Question,
  TRUNCATED_RESPONSE,
} from "dns-packet";
import { isPortFree } from "../scripts/ports.ts";

const udpBytesMax = 512;
/** DNS has the code of an answer in the low bits of its flags. */
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };

/** For tests without DNS: nothing listens there. */
export const noResolver = "127.0.0.1:1";

export interface Zone {
  /** Each text is one record; a list is one record of several strings. */
  txt?: (string | string[])[];
  cname?: string;
  a?: string[];
  aaaa?: string[];
  /** Replaces every answer. `silence`: no answer at all. */
  fault?: "SERVFAIL" | "REFUSED" | "silence" | "garbage";
  /** The one type of records that answers SERVFAIL. */
  faultOf?: "A" | "AAAA" | "TXT" | "CNAME";
  /** Before each answer. */
  delayMs?: number;
}

export class TestDns {
  readonly zones = new Map<string, Zone>();
  /** Names that were queried. */
  readonly asked: string[] = [];
  #address = "";
  #closed = false;
  #close: () => Promise<void> = async () => undefined;

  /** In the format of FUXI_DNS_SERVERS. */
  get address(): string {
    return this.#address;
  }

  set(name: string, zone: Zone): this {
    this.zones.set(name.toLowerCase(), zone);
    return this;
  }

  async open(port = 0): Promise<this> {
    const udp = createSocket("udp4");
    udp.on("message", (message, from) => {
      void this.#answer(message, udpBytesMax).then((reply) => {
        if (reply && !this.#closed) udp.send(reply, from.port, from.address);
      });
    });
    await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
    const bound = udp.address().port;
    // A port that is free for UDP may have a server for TCP.
    if (port === 0 && !(await isPortFree(bound))) {
      await new Promise<void>((resolve) => udp.close(resolve));
      return await this.open();
    }
    const sockets = new Set<Socket>();
    const tcp = createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
      this.#serve(socket);
    });
    await new Promise<void>((resolve, reject) => {
      tcp.once("error", reject).listen(bound, "127.0.0.1", resolve);
    });
    this.#address = `127.0.0.1:${bound}`;
    this.#close = async () => {
      this.#closed = true;
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(resolve)),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    };
    return this;
  }

  close(): Promise<void> {
    return this.#close();
  }

  #serve(socket: Socket): void {
    let waiting = Buffer.alloc(0);
    socket.on("data", (part) => {
      waiting = Buffer.concat([waiting, typeof part === "string" ? Buffer.from(part) : part]);
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const end = 2 + waiting.readUInt16BE(0);
        const message = waiting.subarray(2, end);
        waiting = waiting.subarray(end);
        void this.#answer(message, Number.POSITIVE_INFINITY).then((reply) => {
          if (!reply || socket.destroyed) return;
          const length = Buffer.alloc(2);
          length.writeUInt16BE(reply.length);
          socket.write(Buffer.concat([length, reply]));
        });
      }
    });
  }

  async #answer(message: Buffer, bytesMax: number): Promise<Buffer | undefined> {
    const packet = decode(message);
    const [firstQuestion] = packet.questions ?? [];
    if (!firstQuestion) return undefined;
    this.asked.push(firstQuestion.name.toLowerCase());
    const zone = this.zones.get(firstQuestion.name.toLowerCase());
    if (zone?.delayMs) await new Promise((resolve) => setTimeout(resolve, zone.delayMs));
    if (zone?.fault === "silence") return undefined;
    if (zone?.fault === "garbage") return Buffer.concat([message.subarray(0, 2), Buffer.alloc(3)]);
    const fault = faultOf(zone, firstQuestion);
    const answers = fault ? [] : this.#answersTo(firstQuestion);
    const reply: Packet = {
      type: "response",
      ...(packet.id === undefined ? {} : { id: packet.id }),
      questions: [firstQuestion],
      flags: AUTHORITATIVE_ANSWER | (fault ? codes[fault] : 0),
      answers,
    };
    const whole = encode(reply);
    if (whole.length <= bytesMax) return whole;
    return encode({ ...reply, flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE, answers: [] });
  }

  /** As in a resolver: a CNAME is followed here, and its chain is part of the answer. */
  #answersTo({ name, type }: Question): Answer[] {
    const answers: Answer[] = [];
    let at = name.toLowerCase();
    for (let hop = 0; hop < 20; hop++) {
      const zone = this.zones.get(at);
      if (!zone) break;
      if (zone.cname !== undefined) {
        answers.push({ name: at, type: "CNAME", data: zone.cname });
        if (type === "CNAME") break;
        at = zone.cname.toLowerCase().replace(/\.$/, "");
        continue;
      }
      for (const data of recordsOf(zone, type ?? "")) answers.push(data(at));
      break;
    }
    return answers;
  }
}

function faultOf(zone: Zone | undefined, { type }: Question): keyof typeof codes | undefined {
  if (!zone) return "NXDOMAIN";
  if (type !== undefined && type === zone.faultOf) return "SERVFAIL";
  return zone.fault === "SERVFAIL" || zone.fault === "REFUSED" ? zone.fault : undefined;
}

function recordsOf(zone: Zone, type: string): ((name: string) => Answer)[] {
  if (type === "TXT") return (zone.txt ?? []).map((data) => (name) => ({ name, type, data }));
  if (type === "A") return (zone.a ?? []).map((data) => (name) => ({ name, type, data }));
  if (type === "AAAA") return (zone.aaaa ?? []).map((data) => (name) => ({ name, type, data }));
  return [];
}
