/**
 * Traces of requests and jobs, with their statements and commands, for an OpenTelemetry collector.
 *
 * Off unless FUXI_TRACES_URL is set. Then nothing of OpenTelemetry is loaded, and a place that could be traced costs one
 * comparison: callers look at `tracesAreOn` before they create anything.
 */
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

/** Loads OpenTelemetry, if traces are on. `process`: its name in traces. */
export async function openTraces(process: string): Promise<void> {
  const { FUXI_TRACES_URL: url, FUXI_TRACES_PERCENT: percent } = config();
  if (url === undefined || tracing) return;
  const { openTracing } = await import("./tracing.ts");
  tracing = openTracing({ url, percent, process });
  onClose("traces", closeTraces);
}

/** Sends what is left. */
export async function closeTraces(): Promise<void> {
  const open = tracing;
  tracing = undefined;
  await open?.close();
}

/** Runs work as a part of the current trace. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracing ? tracing.run(name, attributes, work) : work();
}

/** Answers a request as a trace, or as a part of that of its sender. */
export function tracedRequest(
  name: string,
  req: IncomingMessage,
  res: ServerResponse,
  work: () => void,
): void {
  if (tracing) tracing.request(name, req, res, work);
  else work();
}
