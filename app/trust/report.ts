/** The form with which visitors report a link. */

import { abuseReasons } from "#lib/basics/abuse/schema";
import { fileReport } from "#lib/office/reports";
import { reportForm, reportTextCharsMax } from "#lib/office/reports/schema";
import { escapeHtml } from "#lib/redirect/visitor-pages";
import { isFeatureOn } from "#lib/tenancy/features";
import { type Answer, type Asked, errorHtml, fieldsOf, plainAnswer, tooMany } from "./answers.ts";
import { texts } from "./texts.ts";

const linkCharsMax = 2_000;

export async function answerReport(asked: Asked): Promise<Answer> {
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

/** Administrators have turned the form off. */
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
