/** For tests: visitors who answer the form of a link. Within a file that opened the stores. */
import { expect } from "vitest";
import { ingestAll } from "#lib/analytics/ingest";
import { createForm } from "#lib/audience/forms";
import { type NewForm, newForm } from "#lib/audience/forms/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { openTestVisits } from "./redirect-server.ts";

type Visits = ReturnType<typeof openTestVisits>;
type Head = Record<string, string>;

const url = "https://shop.example/start";
const visitorHead: Head = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  "accept-language": "en-GB,en",
};

let made = 0;

/** A published form that asks for a phone, and may be told an email address and a name. */
function formBody(more: object = {}): NewForm {
  made += 1;
  return newForm.parse({
    name: `Form ${made}`,
    published: true,
    title: "Get the offer",
    consent: "We call you about the offer.",
    controller: "Acme Ltd, 1 Main Street, London",
    privacyUrl: "https://acme.example/privacy",
    fields: [
      { type: "phone" },
      { type: "email", required: false },
      { type: "name", required: false },
    ],
    // The time zone of test workspaces is that of no country.
    codeCountries: ["GB", "CN"],
    ...more,
  });
}

export function openFormVisitors({ ask, make, scope }: Visits) {
  const asking = async (more: object = {}, own: WorkspaceScope = scope()) => {
    const form = await createForm(own, formBody(more));
    const link = await make({ url, formId: form.id });
    return { form, link };
  };
  const post = (key: string, entered: Record<string, string>, head: Head = {}) => {
    const form = new URLSearchParams({ version: "1", consent: "1", ...entered }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return ask(`/${key}`, { method: "POST", headers: { ...visitorHead, ...type, ...head }, form });
  };
  /** Answers the form, goes on to the destination, and counts the click. */
  const answer = async (key: string, entered: Record<string, string>) => {
    const given = await post(key, entered);
    expect(given.status).toBe(303);
    const onward = await ask(String(given.headers.location), { headers: visitorHead });
    expect([onward.status, onward.headers.location]).toEqual([302, url]);
    await ingestAll();
  };
  return { asking, post, answer };
}
