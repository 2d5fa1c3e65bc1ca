/**
 * The thread that makes codes: about 25 microseconds each with the look into the list of words, which the event loop
 * has better use for. A code that may not be given out is answered as "".
 */
import { parentPort, workerData } from "node:worker_threads";
import { makePermutation } from "./permutation.ts";
import { isFitCode } from "./reserved.ts";

const permutation = makePermutation(workerData.key, workerData.tweak);

parentPort?.on("message", ({ id, start, count }: { id: number; start: number; count: number }) => {
  const codes = Array.from({ length: count }, (_, at) => {
    const code = permutation.toCode(start + at);
    return isFitCode(code) ? code : "";
  });
  parentPort?.postMessage({ id, codes });
});
