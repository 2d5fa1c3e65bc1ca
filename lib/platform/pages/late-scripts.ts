/**
 * Delays the scripts of pages that people mostly read, until somebody moves the pointer, touches
 * the page or types. The HTML of these pages is complete without them. Sign-in on a phone then
 * weighs 52 KB instead of 282, and Lighthouse gives the landing page 100 points instead of 70
 * (docs/decisions/0010-page-tricks.md). Shared analytics load their scripts after a while anyway,
 * because people also show them on wall screens.
 *
 * A button pressed before React handles it is pressed again later. So is one that is released after
 * React is ready, because a tab is chosen when its press begins. Links and forms need no React.
 * React has no public sign that it is ready, so the loader looks for the properties that it adds to
 * elements. A journey of e2e/docs.spec.ts fails if they change.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

const readPages = /^\/(?:$|\?|(?:signin|signup|reset|pricing|legal|docs|share)(?:[/?]|$))/;
const sharedPages = /^\/share\//;
const sharedWaitMs = 20_000;
const pageScript =
  /<script(?=[^>]* src="(\/_next\/static\/[^"]+)")(?=[^>]* async)(?![^>]* nomodule)[^>]*><\/script>/gi;
const scriptPreload = /<link(?=[^>]* rel="preload")(?=[^>]* as="script")[^>]*>/g;
const nonceOfScript = /<script[^>]* nonce="([\w+/=-]+)"/;

export function delayScripts(req: IncomingMessage, res: ServerResponse): void {
  if (!isReadPage(req)) return;
  const written: Buffer[] = [];
  const { end } = res;
  const take = (chunk: unknown) => {
    if (chunk instanceof Uint8Array || typeof chunk === "string") written.push(Buffer.from(chunk));
  };
  res.write = (chunk: unknown, ...rest: unknown[]) => {
    take(chunk);
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };
  res.end = (...args: unknown[]) => {
    take(args[0]);
    const done = args.find((one): one is () => void => typeof one === "function");
    const body = Buffer.concat(written);
    const isHtml =
      res.statusCode < 400 && String(res.getHeader("content-type")).startsWith("text/html");
    const waitMs = sharedPages.test(req.url ?? "") ? sharedWaitMs : null;
    const text = isHtml ? withLateScripts(body.toString("utf8"), waitMs) : body;
    if (!res.headersSent) res.removeHeader("content-length");
    return end.call(res, text, "utf8", done);
  };
}

function isReadPage({ method, url = "", headers }: IncomingMessage): boolean {
  return method === "GET" && readPages.test(url) && headers["rsc"] === undefined;
}

/** After `waitMs`, scripts are loaded even if nobody uses the page. */
export function withLateScripts(html: string, waitMs: number | null = null): string {
  const sources = [...html.matchAll(pageScript)].map(([, source]) => source);
  const nonce = nonceOfScript.exec(html)?.[1];
  if (sources.length === 0 || nonce === undefined) return html;
  const loader = `<script nonce="${nonce}" id="late-scripts">(${load})(${JSON.stringify(sources)},${waitMs})</script>`;
  return html
    .replace(pageScript, "")
    .replace(scriptPreload, "")
    .replace("</head>", () => `${loader}</head>`);
}

/** Runs in the browser, which reports a move of a resting pointer when it lays out a page. */
const load = `function (sources, waitMs) {
  var signs = ["pointermove", "pointerdown", "touchstart", "keydown", "input"];
  var pressed, early;
  function start(event) {
    if (event && event.type === "pointermove" && !event.movementX && !event.movementY) return;
    signs.forEach(function (sign) { removeEventListener(sign, start, true); });
    sources.splice(0).forEach(function (source) {
      var script = document.createElement("script");
      script.src = source;
      script.async = true;
      document.head.append(script);
    });
  }
  function answers(element) {
    return Object.keys(element).some(function (key) { return key.indexOf("__reactProps") === 0; });
  }
  function press() {
    if (!pressed.isConnected) return;
    if (!answers(pressed)) return setTimeout(press, 20);
    removeEventListener("click", hold, true);
    ["pointerdown", "mousedown"].forEach(function (name) {
      var Press = name === "mousedown" ? MouseEvent : PointerEvent;
      pressed.dispatchEvent(new Press(name, { bubbles: true, button: 0, pointerType: "mouse" }));
    });
    pressed.click();
  }
  function buttonOf(event) {
    var button = event.target.closest && event.target.closest("button, [role=tab]");
    return button && button.type !== "submit" ? button : undefined;
  }
  function notice(event) {
    var button = buttonOf(event);
    early = button && !answers(button) ? button : undefined;
  }
  function hold(event) {
    var button = buttonOf(event);
    if (!button || (answers(button) && button !== early)) return;
    event.preventDefault();
    event.stopPropagation();
    var isFirst = pressed === undefined;
    pressed = button;
    start(event);
    if (isFirst) press();
  }
  signs.forEach(function (sign) { addEventListener(sign, start, { capture: true, passive: true }); });
  addEventListener("pointerdown", notice, true);
  addEventListener("click", hold, true);
  if (waitMs !== null) setTimeout(start, waitMs);
}`
  .replace(/\n\s*/g, " ")
  .trim();
