/**
 * The latest clicks as server-sent events: `GET /api/events/live`.
 *
 * Not in the API document, whose formats cannot describe an endless response. Each click is an event. After a disconnect, the
 * browser sends back the id of the last one as Last-Event-ID. A comment every few seconds keeps proxies from closing the
 * connection. The caller is authenticated again each time, so the stream ends with the session, key or membership that opened it.
 */

import { watchClicks, watchersPerWorkspaceMax } from "#lib/analytics/click-feed";
import type { LiveClick } from "#lib/analytics/click-feed/schema";
import { type ClickFilter, clickFilter } from "#lib/analytics/reports/schema";
import { AppError, invalidRequest } from "#lib/platform/errors";
import { onClose } from "#lib/platform/processes";
import { access, declareAccess } from "./access.ts";
import { scopeOfCaller } from "./caller.ts";
import { type ApiContext, newRouter } from "./router.ts";
import { checkQuery } from "./unknown-names.ts";

const heartbeatMs = 3_000;
const reconnectMs = 2_000;
const fullRetrySeconds = 30;
/** The limit of unsent messages per connection. A stuck connection is closed, and reconnects when it can. */
const waitingMessagesMax = 100;

const open = new Set<() => void>();
let closes = false;

/**
 * Registered when the first stream opens. What opens last closes first, so streams end before the listener, which waits for all
 * responses.
 */
function endWithProcess(): void {
  if (closes) return;
  closes = true;
  onClose("live", () => {
    for (const end of open) end();
  });
}

export const live = newRouter();

declareAccess("get", "/events/live", access("analytics.read")["x-fuxi-access"]);
live.get("/events/live", checkQuery("watchClicks", clickFilter), async (c) => {
  endWithProcess();
  const stream = new MessageStream();
  const send = (clicks: LiveClick[]) => {
    for (const click of clicks) stream.write(messageOf(click));
  };
  const lastId = c.req.header("last-event-id");
  const watch = await watchClicks(c.get("scope"), lastId, send, filterOf(c));
  if (!watch.ok) throw full(watch.code);
  // Clicks after this one happened while the stream was open.
  stream.write("event: ready\ndata:\n\n");
  const heart = setInterval(async () => {
    stream.write(":\n\n");
    const still = await isStillAdmitted(c, watch.renew);
    if (!still) stream.end();
  }, heartbeatMs);
  stream.onEnd(() => {
    clearInterval(heart);
    watch.stop();
  });
  return c.body(stream.readable, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    // Otherwise proxies would buffer the response forever.
    "X-Accel-Buffering": "no",
  });
});

function filterOf(c: ApiContext): ClickFilter {
  const parsed = clickFilter.safeParse(c.req.query());
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues);
}

function messageOf(click: LiveClick): string {
  return `id: ${click.id}\nevent: click\ndata: ${JSON.stringify(click)}\n\n`;
}

function full(code: "workspace_full" | "process_full"): AppError {
  return new AppError(
    "rate_limit_exceeded",
    code === "workspace_full"
      ? `A workspace can have up to ${watchersPerWorkspaceMax} live connections. Close one first.`
      : "Too many live connections. Try again in a moment.",
    { retryAfterSeconds: fullRetrySeconds },
  );
}

type Renew = Extract<Awaited<ReturnType<typeof watchClicks>>, { ok: true }>["renew"];

/** False once the caller is no longer authorized. An unavailable store does not end the stream. */
async function isStillAdmitted(c: ApiContext, renew: Renew): Promise<boolean> {
  try {
    await renew(await scopeOfCaller(c));
    return true;
  } catch (error) {
    return !(error instanceof AppError) || error.code === "rate_limit_exceeded";
  }
}

/** A response that is written over time, until either side ends it. */
class MessageStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onEnd: () => void = () => undefined;

  constructor() {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.end(),
      },
      { highWaterMark: waitingMessagesMax },
    );
    open.add(this.end);
    this.write(`retry: ${reconnectMs}\n\n`);
  }

  onEnd(run: () => void): void {
    this.#onEnd = run;
    // The stream may have ended before this was registered.
    if (!this.#controller) run();
  }

  write(message: string): void {
    if (!this.#controller) return;
    if ((this.#controller.desiredSize ?? 0) <= 0) this.end();
    else this.#controller.enqueue(this.#encoder.encode(message));
  }

  readonly end = (): void => {
    const controller = this.#controller;
    this.#controller = undefined;
    open.delete(this.end);
    if (!controller) return;
    this.#onEnd();
    try {
      controller.close();
    } catch {
      // The client closed it first.
    }
  };
}
