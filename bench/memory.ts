/** Imported by a process that is measured: says on request how much memory it has had at most, in bytes. */
const bytesPerKilobyte = 1_024;

process.on("message", (word) => {
  if (word === "memory") process.send?.(process.resourceUsage().maxRSS * bytesPerKilobyte);
});
