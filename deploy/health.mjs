/** `node health.mjs [port]`: whether the process on this port of this machine runs. For health checks of containers. */
const [port = process.env["PORT"]] = process.argv.slice(2);
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(2_500),
  });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
