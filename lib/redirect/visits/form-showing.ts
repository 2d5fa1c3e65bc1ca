/** Sends the page of a form. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { config } from "#lib/platform/config";
import { findBranding } from "./branding.ts";
import { languageOf } from "./document.ts";
import type { Entered } from "./form-answers.ts";
import { phoneCountriesOf } from "./form-country.ts";
import type { FormVisit } from "./form-onward.ts";
import { type FormPage, formPage } from "./form-page.ts";
import { sendFormDocument } from "./form-response.ts";
import { canonicalHost, isOnDashboardHost } from "./visitor.ts";

export const withdrawParameter = "fuxi_withdraw";

export interface Shown {
  status: number;
  entered?: Entered;
  problems?: ReadonlyMap<string, string>;
  notice?: FormPage["notice"];
}

const nothing: ReadonlyMap<string, string> = new Map();

export async function sendForm(
  req: IncomingMessage,
  res: ServerResponse,
  { content, personal, version, workspacePk }: ShownForm,
  { path, offer }: Pick<FormVisit, "path" | "offer">,
  { status, entered = nothing, problems = nothing, notice }: Shown,
): Promise<void> {
  const branding = await findBranding(workspacePk);
  const hasPhone = content.fields.some(({ type }) => type === "phone");
  const page = formPage({
    content,
    personal,
    version,
    language: languageOf(req.headers["accept-language"]),
    branding,
    onDashboardHost: isOnDashboardHost(req),
    entered,
    problems,
    notice,
    callingCode: hasPhone ? await callingCodeOf(req) : "",
    withdrawAddress: withdrawAddressOf(req, path),
    offer,
  });
  sendFormDocument(req, res, status, page, branding);
}

function withdrawAddressOf(req: IncomingMessage, path: string): string {
  const port = /:\d+$/.exec(req.headers.host ?? "")?.[0] ?? "";
  const { protocol } = new URL(config().FUXI_URL);
  const origin = `${protocol}//${canonicalHost(req.headers.host ?? "")}${port}`;
  return `${origin}${path}?${withdrawParameter}=1`;
}

async function callingCodeOf(req: IncomingMessage): Promise<string> {
  const { callingCode } = await import("#lib/platform/phones");
  return callingCode((await phoneCountriesOf(req))[0] ?? "");
}
