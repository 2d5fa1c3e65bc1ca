/** Why something was banned, and the form to appeal. Opened from an email, without a session. */
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { escapeHtml, type Language } from "#lib/redirect/visitor-pages";
import { appealBan, findNotice, type Notice } from "#lib/tenancy/ban-recipients";
import { appealCharsMax, appealText } from "#lib/tenancy/bans/schema";
import { type Answer, type Asked, errorHtml, fieldsOf, plainAnswer, tooMany } from "./answers.ts";
import { texts } from "./texts.ts";

export async function answerAppeal(asked: Asked): Promise<Answer> {
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
  /** A text that is too short or too long. */
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
