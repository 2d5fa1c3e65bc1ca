/** The page where contacts can delete their answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/audience/forms/schema";
import { escapeHtml, findBranding, languageOf, renderPage } from "#lib/redirect/visitor-pages";
import { formCookie } from "./grants.ts";
import { isForeign, sendFormDocument } from "./responses.ts";
import { formTexts } from "./texts.ts";

interface Withdrawal {
  linkPk: number;
  path: string;
  /** From the cookie, or empty. */
  contact: string;
}

export async function respondWithdrawal(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { linkPk, path, contact }: Withdrawal,
): Promise<void> {
  const language = languageOf(req.headers["accept-language"]);
  const texts = formTexts[language];
  const { content } = form;
  const branding = await findBranding(form.workspacePk);
  const show = (title: string, text: string, formHtml = "") => {
    const bodyHtml = `<main><h1>${title}</h1><p>${escapeHtml(text)}</p>${formHtml}</main>`;
    sendFormDocument(req, res, 200, renderPage({ language, title, bodyHtml, branding }), branding);
  };
  if (contact === "") {
    show(texts.unknownTitle, texts.unknownText(content.controller));
    return;
  }
  if (req.method !== "POST" || isForeign(req)) {
    const button = `<form method="post"><button>${texts.withdrawButton}</button></form>`;
    show(texts.withdrawTitle, texts.withdrawText, button);
    return;
  }
  const { withdrawContact } = await import("#lib/audience/contacts");
  await withdrawContact(form.workspacePk, contact);
  const subject = { linkPk, formId: form.id };
  res.setHeader("Set-Cookie", formCookie(subject, { contact: "", seconds: 0, path }, Date.now()));
  show(texts.withdrawnTitle, texts.withdrawnText);
}
