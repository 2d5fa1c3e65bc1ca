import type { Piece } from "./slabs.ts";

export interface Group {
  /** Ingest detects a second delivery by both. */
  producer: string;
  number: number;
  at: number;
  day: string;
  addresses: Piece;
  events: Piece;
  count: number;
}

/** `producer:number LF day LF base64(addresses) LF events` */
export function packGroup(group: Group): Buffer {
  const sealed = group.addresses.bytes.toString("base64");
  const head = `${group.producer}:${group.number}\n${group.day}\n${sealed}\n`;
  return Buffer.concat([Buffer.from(head), group.events.bytes]);
}

export function unpackGroup(record: Buffer) {
  const ends = [record.indexOf(10)];
  ends.push(record.indexOf(10, (ends[0] ?? 0) + 1));
  ends.push(record.indexOf(10, (ends[1] ?? 0) + 1));
  const [first = 0, second = 0, third = 0] = ends;
  return {
    group: record.toString("latin1", 0, first),
    day: record.toString("latin1", first + 1, second),
    sealed: Buffer.from(record.toString("latin1", second + 1, third), "base64"),
    text: record.subarray(third + 1),
  };
}

export function shardOf(id: string, shards: number): number {
  return Number.parseInt(id.slice(0, 8), 16) % shards;
}
