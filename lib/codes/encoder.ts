/** The thread that makes codes: about 20 microseconds each, which the event loop has better use for. */
import { parentPort, workerData } from "node:worker_threads";
import { makePermutation } from "./permutation.ts";

const permutation = makePermutation(workerData.key, workerData.tweak);

parentPort?.on("message", ({ id, start, count }: { id: number; start: number; count: number }) => {
  const codes = Array.from({ length: count }, (_, at) => permutation.toCode(start + at));
  parentPort?.postMessage({ id, codes });
});
