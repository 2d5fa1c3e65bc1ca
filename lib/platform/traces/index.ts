/** Without FUXI_TRACES_URL nothing is loaded. Callers check `tracesAreOn` first. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { config } from "#lib/platform/config";
import { onClose } from "#lib/platform/processes";

export type Attributes = Readonly<Record<string, string | number>>;

export interface Tracing {
  run: <T>(name: string, attributes: Attributes, work: () => Promise<T>) => Promise<T>;
  request: (name: string, req: IncomingMessage, res: ServerResponse, work: () => void) => void;
  close: () => Promise<void>;
}

let tracing: Tracing | undefined;

export function tracesAreOn(): boolean {
  return tracing !== undefined;
}

export async function openTraces(process: string): Promise<void> {
  const { FUXI_TRACES_URL: url, FUXI_TRACES_PERCENT: percent } = config();
  if (url === undefined || tracing) return;
  const { openTracing } = await import("./tracing.ts");
  tracing = openTracing({ url, percent, process });
  onClose("traces", closeTraces);
}

export async function closeTraces(): Promise<void> {
  const open = tracing;
  tracing = undefined;
  await open?.close();
}

export function traced<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracing ? tracing.run(name, attributes, work) : work();
}

export function tracedRequest(
  name: string,
  req: IncomingMessage,
  res: ServerResponse,
  work: () => void,
): void {
  if (tracing) tracing.request(name, req, res, work);
  else work();
}
