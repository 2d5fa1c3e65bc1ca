/** Codes: the permutation of this installation, and codes for ranges of pks made ahead. */
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { config } from "#lib/config";
import { onClose } from "#lib/lifetime";
import { makePermutation, type Permutation } from "./permutation.ts";
import { isFitCode } from "./reserved.ts";

export { isFitCode, isReservedSegment } from "./reserved.ts";

/** A range up to this size is made at once (about a millisecond); a larger one in a thread. */
const inlineMax = 64;

export interface ReadyCode {
  pk: number;
  code: string;
}

let permutation: Permutation | undefined;

function own(): Permutation {
  permutation ??= makePermutation(config().FUXI_CODE_KEY, config().FUXI_CODE_TWEAK);
  return permutation;
}

/** The pk that a code spells, or undefined when the text is no code. */
export function pkOfCode(text: string): number | undefined {
  return own().toPk(text);
}

/** The code that a pk spells. */
export function codeOfPk(pk: number): string {
  return own().toCode(pk);
}

/** Tells one key from another without revealing it. Kept in the database: another key would mix up all codes. */
export function codeFingerprint(): string {
  const { FUXI_CODE_KEY, FUXI_CODE_TWEAK } = config();
  return createHash("sha256")
    .update(`fuxi codes ${FUXI_CODE_KEY} ${FUXI_CODE_TWEAK}`)
    .digest("hex")
    .slice(0, 16);
}

/** The codes of `count` pks from `start`, without those that may not be given out. */
export async function makeCodes(start: number, count: number): Promise<ReadyCode[]> {
  const codes =
    count <= inlineMax
      ? Array.from({ length: count }, (_, at) => own().toCode(start + at)).map(fitOrNone)
      : await encodeInThread(start, count);
  const ready: ReadyCode[] = [];
  codes.forEach((code, at) => {
    if (code !== "") ready.push({ pk: start + at, code });
  });
  return ready;
}

function fitOrNone(code: string): string {
  return isFitCode(code) ? code : "";
}

/** Node gives a thread no loader for TypeScript, so it registers one itself before it opens the file. */
const startThread = `
  import("tsx/esm/api").then(({ register }) => {
    register();
    return import(require("node:worker_threads").workerData.file);
  });
`;

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<
  number,
  { resolve: (codes: string[]) => void; reject: (error: Error) => void }
>();

function encodeInThread(start: number, count: number): Promise<string[]> {
  const worker = openThread();
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, start, count });
  });
}

function openThread(): Worker {
  if (thread) return thread;
  const { FUXI_CODE_KEY: key, FUXI_CODE_TWEAK: tweak } = config();
  const opened = new Worker(startThread, {
    eval: true,
    workerData: { key, tweak, file: new URL("./encoder.ts", import.meta.url).href },
  });
  opened.unref();
  opened.on("message", ({ id, codes }: { id: number; codes: string[] }) => {
    waiting.get(id)?.resolve(codes);
    waiting.delete(id);
  });
  opened.on("error", (error) => {
    thread = undefined;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  });
  onClose("code thread", () => opened.terminate());
  thread = opened;
  return opened;
}
