/**
 * The pages `/report`, `/appeal` and `/optout` on the host of the dashboard, for people without an account: plain forms in the
 * style of visitor pages, without a script. They read no session, so another site gains nothing by sending a form.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf } from "#lib/platform/http";
import { log } from "#lib/platform/log";
import { readForm } from "#lib/redirect/requests";
import { languageOf, renderPage, sendDocument } from "#lib/redirect/visitor-pages";
import { type Answer, type Asked, errorAnswer } from "./answers.ts";
import { answerAppeal } from "./appeal.ts";
import { answerOptOut } from "./opt-out.ts";
import { answerReport } from "./report.ts";

const formBytesMax = 64 * 1024;

const pages: Readonly<Record<string, (asked: Asked) => Promise<Answer>>> = {
  "/appeal": answerAppeal,
  "/optout": answerOptOut,
  "/report": answerReport,
};

/** False: the path is of another part. */
export function answerTrustPage(req: IncomingMessage, res: ServerResponse): boolean {
  const [path = "", query = ""] = (req.url ?? "/").split("?", 2);
  const page = pages[path];
  if (!page) return false;
  answer(req, res, page, query).catch((error: unknown) => {
    log.error({ event: "trust_page.failed", path, error: String(error) });
    if (!res.headersSent) res.writeHead(503, ["Retry-After", "1", "Content-Length", "0"]).end();
  });
  return true;
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  page: (asked: Asked) => Promise<Answer>,
  query: string,
): Promise<void> {
  if (req.method !== "GET" && req.method !== "HEAD" && req.method !== "POST") {
    res.writeHead(405, ["Allow", "GET, HEAD, POST", "Content-Length", "0"]).end();
    return;
  }
  const language = languageOf(req.headers["accept-language"]);
  const body = req.method === "POST" ? await readForm(req, formBytesMax) : undefined;
  const isLong = req.method === "POST" && body === undefined;
  const form = body === undefined ? undefined : new URLSearchParams(body);
  const asked = { language, query: new URLSearchParams(query), form, address: addressOf(req) };
  const {
    status,
    title,
    bodyHtml,
    head = [],
  } = isLong ? errorAnswer(language, 413) : await page(asked);
  const document = renderPage({ language, title, bodyHtml });
  const closing = isLong ? ["Connection", "close"] : [];
  const allowed = "form-action 'self'";
  sendDocument(req, res, status, document, { allowed, head: [...head, ...closing] });
}
