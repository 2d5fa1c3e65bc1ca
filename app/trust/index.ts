/**
 * The pages `/report`, `/appeal`, `/optout`, and those of email reports, on the host of the dashboard, for people without an account: plain forms in the
 * style of visitor pages, without scripts. They read no session, so another site gains nothing by submitting a form.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { abuseReasons } from "#lib/basics/abuse/schema";
import { fileReport } from "#lib/office/reports";
import { reportForm, reportTextCharsMax } from "#lib/office/reports/schema";
import {
  confirmReportAddress,
  findReportRecipient,
  stopReports,
} from "#lib/outreach/email-reports";
import { findOptOutSender, optOutByLink } from "#lib/outreach/opt-out-links";
import { addressOf } from "#lib/platform/http";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { readForm } from "#lib/redirect/requests";
import {
  escapeHtml,
  type Language,
  languageOf,
  renderPage,
  sendDocument,
} from "#lib/redirect/visitor-pages";
import { appealBan, findNotice, type Notice } from "#lib/tenancy/ban-recipients";
import { appealCharsMax, appealText } from "#lib/tenancy/bans/schema";
import { isFeatureOn } from "#lib/tenancy/features";
import {
  type Answer,
  type Asked,
  errorAnswer,
  errorHtml,
  fieldsOf,
  plainAnswer,
  tooMany,
} from "./answers.ts";
import { texts } from "./texts.ts";

const formBytesMax = 64 * 1024;

const pages: Readonly<Record<string, (asked: Asked) => Promise<Answer>>> = {
  "/appeal": answerAppeal,
  "/optout": answerOptOut,
  "/optout/report": answerStop,
  "/report": answerReport,
  "/verify/report": answerConfirm,
};

/** Returns false if another part handles the path. */
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

async function answerOptOut({ language, query, form, address }: Asked): Promise<Answer> {
  const labels = texts[language].optOut;
  // defence: opt-out-needs-post
  if (form) {
    const outcome = await optOutByLink(fieldsOf(form)["t"] ?? "", address);
    if (outcome.ok) return plainAnswer(200, labels.doneTitle, labels.done);
    const { retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) return tooMany(language, retryAfterSeconds);
    return plainAnswer(404, labels.missingTitle, labels.missing);
  }
  const token = query.get("t") ?? "";
  const found = await findOptOutSender(token);
  if (!found) return plainAnswer(404, labels.missingTitle, labels.missing);
  const text = found.sender === null ? labels.text : labels.textOf(found.sender);
  const bodyHtml =
    `<main><h1>${labels.title}</h1><p>${escapeHtml(text)}</p>` +
    '<form method="post" action="/optout">' +
    `<input type="hidden" name="t" value="${escapeHtml(token)}">` +
    `<button>${labels.send}</button></form></main>`;
  return { status: 200, title: labels.title, bodyHtml };
}

/** Mail programs post to the same URL without opening it (RFC 8058), so the token is in the query. */
async function answerStop({ language, query, form, address }: Asked): Promise<Answer> {
  const labels = texts[language].stopReports;
  const limited = await limitOf(language, address);
  if (limited) return limited;
  const token = query.get("t") ?? "";
  // defence: report-stop-needs-post
  if (form) {
    if (await stopReports(token)) return plainAnswer(200, labels.doneTitle, labels.done);
    return plainAnswer(404, labels.missingTitle, labels.missing);
  }
  const found = await findReportRecipient(token);
  if (!found) return plainAnswer(404, labels.missingTitle, labels.missing);
  if (found.state === "stopped") return plainAnswer(200, labels.doneTitle, labels.done);
  return reportAnswer("/optout/report", token, { ...labels, text: labels.textOf(found.workspace) });
}

async function answerConfirm({ language, query, form, address }: Asked): Promise<Answer> {
  const labels = texts[language].confirmReports;
  const limited = await limitOf(language, address);
  if (limited) return limited;
  const token = query.get("t") ?? "";
  if (form && (await confirmReportAddress(token))) {
    return plainAnswer(200, labels.doneTitle, labels.done);
  }
  const found = await findReportRecipient(token);
  if (found?.state === "active") return plainAnswer(200, labels.doneTitle, labels.done);
  if (found?.state !== "unconfirmed") return plainAnswer(404, labels.missingTitle, labels.missing);
  return reportAnswer("/verify/report", token, { ...labels, text: labels.textOf(found.workspace) });
}

async function limitOf(language: Language, address: string): Promise<Answer | undefined> {
  const attempt = await tryLimit("optOutPerAddress", addressSubject(address));
  return attempt.ok ? undefined : tooMany(language, attempt.retryAfterSeconds);
}

function reportAnswer(
  path: string,
  token: string,
  { title, text, send }: { title: string; text: string; send: string },
): Answer {
  const bodyHtml =
    `<main><h1>${title}</h1><p>${escapeHtml(text)}</p>` +
    `<form method="post" action="${path}?t=${encodeURIComponent(token)}">` +
    `<button>${send}</button></form></main>`;
  return { status: 200, title, bodyHtml };
}

const linkCharsMax = 2_000;

async function answerReport(asked: Asked): Promise<Answer> {
  const { language, query, form, address } = asked;
  if (!(await isFeatureOn("reports"))) return closedAnswer(asked);
  if (!form) return formAnswer(asked, { link: query.get("link") ?? "" }, 200);
  const fields = fieldsOf(form);
  const parsed = reportForm.safeParse(fields);
  if (!parsed.success) return formAnswer(asked, fields, 422);
  const filed = await fileReport(parsed.data, address, language);
  if (!filed.ok && filed.code === "off") return closedAnswer(asked);
  if (!filed.ok) return tooMany(language, filed.retryAfterSeconds);
  const { doneTitle, done } = texts[language].report;
  return plainAnswer(200, doneTitle, done);
}

function closedAnswer({ language }: Asked): Answer {
  const { closedTitle, closed } = texts[language].report;
  return plainAnswer(403, closedTitle, closed);
}

function formAnswer(
  { language }: Asked,
  given: Readonly<Record<string, string>>,
  status: 200 | 422,
): Answer {
  const { report: labels, reasons } = texts[language];
  const value = (name: string) => escapeHtml((given[name] ?? "").slice(0, linkCharsMax));
  const options = abuseReasons.map((reason) => {
    const selected = given["reason"] === reason ? " selected" : "";
    return `<option value="${reason}"${selected}>${escapeHtml(reasons[reason])}</option>`;
  });
  const bodyHtml =
    `<main><h1>${labels.title}</h1><p>${labels.text}</p>` +
    `<form method="post" action="/report">${status === 422 ? errorHtml(labels.invalid) : ""}` +
    `<label for="link">${labels.link}</label>` +
    `<input id="link" name="link" required maxlength="${linkCharsMax}" dir="ltr" value="${value("link")}">` +
    `<label for="reason">${labels.reason}</label><select id="reason" name="reason">${options.join("")}</select>` +
    `<label for="details">${labels.details}</label>` +
    `<textarea id="details" name="text" rows="4" maxlength="${reportTextCharsMax}">${value("text")}</textarea>` +
    `<label for="email">${labels.email}</label>` +
    `<input id="email" name="email" type="email" maxlength="254" autocomplete="email" aria-describedby="hint" value="${value("email")}">` +
    `<p id="hint">${labels.emailHint}</p><button>${labels.send}</button></form></main>`;
  return { status, title: labels.title, bodyHtml };
}

async function answerAppeal(asked: Asked): Promise<Answer> {
  const { language, query, form, address } = asked;
  const fields = form ? fieldsOf(form) : {};
  const token = fields["token"] ?? query.get("token") ?? "";
  if (form) {
    const attempt = await tryLimit("appealPerAddress", addressSubject(address));
    if (!attempt.ok) return tooMany(language, attempt.retryAfterSeconds);
  }
  const notice = await findNotice(token);
  if (!notice) return missing(language);
  if (!form) return noticeAnswer(language, notice, { token });
  const text = appealText.safeParse(fields["text"] ?? "");
  if (!text.success)
    return noticeAnswer(language, notice, { token, refused: fields["text"] ?? "" });
  await appealBan(token, text.data);
  const after = await findNotice(token);
  return after ? noticeAnswer(language, after, { token }) : missing(language);
}

function missing(language: Language): Answer {
  const { missingTitle, missing: text } = texts[language].appeal;
  return plainAnswer(404, missingTitle, text);
}

interface Entered {
  token: string;
  refused?: string;
}

function noticeAnswer(language: Language, { ban, appeal }: Notice, entered: Entered): Answer {
  const { appeal: labels, reasons } = texts[language];
  const title = labels.title[ban.kind];
  const isOpen = appeal === "possible";
  const bodyHtml =
    `<main><h1>${title}</h1><p><bdi dir="auto">${escapeHtml(ban.name)}</bdi></p><dl>` +
    `<dt>${labels.because}</dt><dd>${escapeHtml(reasons[ban.reason])}</dd><dd><bdi dir="auto">${escapeHtml(ban.note)}</bdi></dd></dl>` +
    (ban.endsAt && !ban.liftedAt ? `<p class="note">${untilText(language, ban.endsAt)}</p>` : "") +
    (isOpen
      ? formHtml(language, entered)
      : `<p class="note" role="status">${labels.states[appeal]}</p>`) +
    `<div class="ways"><a class="button other" href="/app">${labels.signIn}</a></div></main>`;
  return { status: entered.refused === undefined ? 200 : 422, title, bodyHtml };
}

function untilText(language: Language, endsAt: string): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return escapeHtml(texts[language].appeal.until(`${format.format(new Date(endsAt))} UTC`));
}

function formHtml(language: Language, { token, refused }: Entered): string {
  const { invite, text, send, short } = texts[language].appeal;
  const invalid = refused === undefined ? "" : ' aria-invalid="true" aria-describedby="error"';
  return (
    `<p class="note">${invite}</p><form method="post" action="/appeal">` +
    `${refused === undefined ? "" : errorHtml(short)}` +
    `<input type="hidden" name="token" value="${escapeHtml(token)}">` +
    `<label for="text">${text}</label>` +
    `<textarea id="text" name="text" rows="6" required minlength="10" maxlength="${appealCharsMax}"${invalid}>` +
    `${escapeHtml((refused ?? "").slice(0, appealCharsMax))}</textarea><button>${send}</button></form>`
  );
}
