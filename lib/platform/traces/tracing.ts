/** All OpenTelemetry code, loaded only when traces are on. */
import { type TracingChannelSubscribers, tracingChannel } from "node:diagnostics_channel";
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { Tracing } from "./index.ts";

const exportTimeoutMs = 5_000;
const waitingSpansMax = 4_096;

interface Options {
  url: string;
  percent: number;
  process: string;
}

export function openTracing({ url, percent, process: name }: Options): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${url.replace(/\/$/, "")}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "fuxi", "service.instance.id": name }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: waitingSpansMax })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer("fuxi");
  const redis = redisSpans((command) =>
    tracer.startSpan(`redis ${command}`, { kind: SpanKind.CLIENT }),
  );
  const commands = tracingChannel<string, RedisCommand>("ioredis:command");
  commands.subscribe(redis);
  return {
    run: (spanName, attributes, work) =>
      tracer.startActiveSpan(spanName, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          fail(span, error);
          throw error;
        } finally {
          span.end();
        }
      }),
    request: (spanName, req, res, work) => {
      const parent = propagation.extract(context.active(), req.headers);
      const attributes = {
        "http.request.method": req.method ?? "",
        // The query may name people.
        "url.path": (req.url ?? "").split("?", 1)[0] ?? "",
      };
      const options = { kind: SpanKind.SERVER, attributes };
      const span = tracer.startSpan(spanName, options, parent);
      res.once("close", () => {
        span.setAttribute("http.response.status_code", res.statusCode);
        if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      context.with(trace.setSpan(parent, span), work);
    },
    close: async () => {
      commands.unsubscribe(redis);
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: String(error).slice(0, 200) });
}

/** Published by ioredis. We do not read the arguments, which may name people. */
interface RedisCommand {
  command: string;
  error?: unknown;
}

/** Only for commands of a request or job. Spans of waiting workers would say nothing. */
function redisSpans(start: (command: string) => Span): TracingChannelSubscribers<RedisCommand> {
  const open = new WeakMap<RedisCommand, Span>();
  const end = (command: RedisCommand) => {
    open.get(command)?.end();
    open.delete(command);
  };
  return {
    start: (command) => {
      if (trace.getActiveSpan()) open.set(command, start(command.command));
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: end,
    error: (command) => {
      const span = open.get(command);
      if (span) fail(span, command.error);
    },
  };
}
