/** The page where recipients of messages opt out: a button, because opening the page changes nothing. */
import { findOptOutSender, optOutByLink } from "#lib/outreach/opt-out-links";
import { escapeHtml } from "#lib/redirect/visitor-pages";
import { type Answer, type Asked, fieldsOf, plainAnswer, tooMany } from "./answers.ts";
import { texts } from "./texts.ts";

export async function answerOptOut({ language, query, form, address }: Asked): Promise<Answer> {
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
