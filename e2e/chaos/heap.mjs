// Loaded into a process under test: reports over its channel how much memory is in use after a garbage collection.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("message", (message) => {
  if (message !== "heap") return;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed + external });
});
// A child that nothing else keeps alive must end, although it could be asked.
process.channel?.unref();
