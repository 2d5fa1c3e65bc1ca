/**
 * Links with a form before the destination. A cookie remembers visitors who have answered or
 * skipped it. The click is the later visit that reaches the destination.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/audience/forms/schema";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { addressOf } from "#lib/platform/http";
import { type Connection, query } from "#lib/platform/postgres";
import { takeParameter } from "#lib/redirect/requests";
import { mayUse, openCache, type Target } from "#lib/redirect/targets";
import {
  escapeHtml,
  findBranding,
  languageOf,
  outcomes,
  renderPage,
} from "#lib/redirect/visitor-pages";
import { codeParameter, showCode } from "./code.ts";
import { formCookie, grantParameter, openCookie, openPass } from "./grants.ts";
import {
  type FormVisit,
  isForeign,
  sendForm,
  sendFormDocument,
  withdrawParameter,
} from "./responses.ts";
import { takeForm } from "./submission.ts";
import { formTexts } from "./texts.ts";
import { findOffer, finishWechatReturn, withoutWechat } from "./wechat.ts";

export { takeReturn, type WechatReturn } from "./wechat.ts";

const formsMax = 5_000;

const forms = openCache<ShownForm>({ name: "forms", entriesMax: formsMax, load: loadForms });

async function loadForms(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<ShownForm>>> {
  const rows = await query.on(on).query<ShownForm & { revision: number }>({
    name: "redirect-forms",
    // Answered by form_id_key.
    text: `
    SELECT id, pk, workspace_pk AS "workspacePk", version, content, personal, revision
    FROM form
    WHERE id = ANY($1::text[])
      AND published`,
    values: [entries],
  });
  return new Map(rows.map(({ revision, ...form }) => [form.id, { revision, value: form }]));
}

interface Answered {
  /** UUID of the contact, or empty. */
  contact: string;
  /** The query of the visit, without the parameters that forms use. */
  query: string;
}

export async function findForm(target: Target): Promise<ShownForm | undefined> {
  const id = target.extras?.form;
  const form = id === undefined ? undefined : await forms.find(id);
  // A form of another workspace could only come from a row that was edited by hand.
  if (form?.workspacePk !== target.workspacePk) return undefined;
  // After a downgrade no data is collected. Forms with only confirmations are in every plan.
  // defence: form-of-ended-plan
  return form.personal && !(await mayUse(target, "forms")) ? undefined : form;
}

/** Lets a visitor who answered continue. Undefined: the visitor got a response. */
export async function passForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  visited: Omit<FormVisit, "codeId" | "offer">,
): Promise<Answered | undefined> {
  const { back } = visited;
  const [pure, pass] = takeParameter(visited.query, grantParameter);
  const [bare, withdraws] = takeParameter(pure, withdrawParameter);
  const [query, codeId] = takeParameter(bare, codeParameter);
  const offer = await findOffer(req, form, visited.target);
  const asked = { ...visited, query, codeId, offer };
  const subject = { linkPk: visited.target.linkPk, formId: form.id };
  const now = Date.now();
  const known = openCookie(req.headers.cookie, subject, now);
  if (withdraws !== "" && form.personal) {
    const { linkPk } = subject;
    const { path } = visited;
    await respondWithdrawal(req, res, form, { linkPk, path, contact: known ?? "" });
    return undefined;
  }
  if (back && (await finishWechatReturn(req, res, form, asked, back))) return undefined;
  const shown = offer ? form : withoutWechat(form);
  if (req.method === "POST") {
    await takeForm(req, res, shown, asked);
    return undefined;
  }
  // Outside WeChat, a form that only asks for WeChat data is not shown.
  if (shown.content.fields.length === 0) return { contact: known ?? "", query };
  const contact = known ?? openPass(pass, { ...subject, address: addressOf(req) }, now);
  if (contact !== undefined) return { contact, query };
  await show(req, res, shown, asked);
  return undefined;
}

async function show(req: IncomingMessage, res: ServerResponse, shown: ShownForm, asked: FormVisit) {
  outcomes.form += 1;
  if (asked.codeId === "") await sendForm(req, res, shown, asked, { status: 200 });
  else await showCode(req, res, shown, asked);
}

interface Withdrawal {
  linkPk: number;
  path: string;
  /** From the cookie, or empty. */
  contact: string;
}

async function respondWithdrawal(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { linkPk, path, contact }: Withdrawal,
): Promise<void> {
  const language = languageOf(req.headers["accept-language"]);
  const texts = formTexts[language];
  const { content } = form;
  const branding = await findBranding(req);
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
