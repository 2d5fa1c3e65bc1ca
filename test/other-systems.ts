/** Other link shorteners as local servers (other-system-answers.ts), which can be made to fail. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SystemName } from "#lib/transfer/importers/schema";
import { answers, type Extras, mayRead, sampleLinks } from "./other-system-answers.ts";

export { goodToken, sampleLinks } from "./other-system-answers.ts";

export interface OtherSystem {
  address: string;
  /** Paths with queries, in order. */
  calls: string[];
  /** The next requests get these answers instead. */
  failures: { status: number; headers?: Record<string, string>; body: string }[];
  /** Requests wait for it. */
  gate: Promise<void> | undefined;
  /** Only those that contain this text. */
  gated: string;
  /** Paths that contain this text are forbidden. */
  refused: string | undefined;
  close: () => Promise<void>;
}

function waitFor({ gate, gated }: OtherSystem, url = ""): Promise<void> | undefined {
  return url.includes(gated) ? gate : undefined;
}

/** Undefined: no such address. `extras`: properties of single links, by number. `prefix`: of slugs. */
export async function startSystem(
  system: SystemName,
  host: string,
  count: number,
  extras: Extras = {},
  prefix = "key",
): Promise<OtherSystem> {
  const links = sampleLinks(count, prefix);
  const state: OtherSystem = {
    address: "",
    calls: [],
    failures: [],
    gate: undefined,
    gated: "",
    refused: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(req.url ?? "", "http://localhost");
    state.calls.push(`${path}?${query}`);
    const form = new URLSearchParams(await textOf(req));
    await waitFor(state, req.url);
    const failure = state.failures.shift() ?? refusalOf(state, path);
    if (failure) {
      res.writeHead(failure.status, failure.headers).end(failure.body);
      return;
    }
    const call = { path, query, form, headers: req.headers };
    if (!mayRead[system](call)) {
      res.writeHead(system === "yourls" ? 403 : 401).end('{"message": "Refused"}');
      return;
    }
    const found = answers[system](call, links, host, extras);
    res.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    res.end(JSON.stringify(found ?? { message: "Not found" }));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Sound because it listens on a port.
  const { port } = server.address() as AddressInfo;
  state.address = `http://127.0.0.1:${port}`;
  return state;
}

function refusalOf({ refused }: OtherSystem, path: string) {
  if (refused === undefined || !path.includes(refused)) return undefined;
  return { status: 403, headers: {}, body: '{"message": "Forbidden"}' };
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of req) text += part;
  return text;
}
