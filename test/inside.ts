import net from "node:net";
import { vi } from "vitest";

const { connect } = net;

/** Connections of outgoing requests end at this local port, whatever address they were allowed to use. */
export function connectInside(port: number): void {
  const redirected = (options: net.TcpNetConnectOpts) =>
    net.isIP(String(options.host)) === 0
      ? connect({ ...options, port, lookup: localAfter(options.lookup) })
      : connect({ ...options, port, host: "127.0.0.1" });
  vi.spyOn(net, "connect").mockImplementation(redirected as typeof net.connect);
}

/** The checked lookup decides. An address that it returns is replaced by the local one. */
function localAfter(lookup: net.LookupFunction | undefined): net.LookupFunction {
  return (host, options, done) =>
    lookup?.(host, options, (error, ...found) => {
      const local = { address: "127.0.0.1", family: 4 };
      if (error) done(error, ...found);
      else if (options.all) done(null, [local]);
      else done(null, local.address, local.family);
    });
}
