/** The pages of the demo that have no address until somebody makes one. */
import type { BrowserContext, Page } from "@playwright/test";
import { owner } from "../scripts/demo-instance.ts";
import { Advice } from "../scripts/processes.ts";

const timeoutMs = 120_000;

/** The paths of a page of analytics that is open to everyone who has it, and of a link with a form. */
export async function signInAndShare(
  context: BrowserContext,
  url: string,
): Promise<{ shared: string; form: string }> {
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  await page.goto(`${url}/signin?next=/app/demo/analytics`);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname === "/app/demo/analytics");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Share analytics" });
  await sheet.getByLabel("Name").fill("Board");
  await sheet.getByRole("button", { name: "Create share link" }).click();
  const address = await sheet.getByLabel("Share link for “Board”").inputValue();
  const form = await makeForm(page, url);
  await page.close();
  return { shared: new URL(address).pathname, form };
}

/** With every kind of field. */
async function makeForm(page: Page, url: string): Promise<string> {
  const make = async (path: string, data: object): Promise<Record<string, string>> => {
    const headers = { Origin: url, "X-Fuxi-Workspace": "demo" };
    const answer = await page.request.post(`${url}/api${path}`, { headers, data });
    if (!answer.ok()) throw new Advice(`${path}: ${await answer.text()}`);
    return await answer.json();
  };
  const { id } = await make("/forms", {
    name: "Offer",
    published: true,
    title: "Get the autumn offer",
    text: "Leave your phone number, and we call you within a day.",
    fields: [
      { type: "phone" },
      { type: "email", required: false },
      { type: "name", required: false },
      { type: "choice", label: "Size", options: ["Small", "Large"] },
      { type: "check", label: "I am at least 18 years old", url: "https://example.com/terms" },
    ],
    consent: "Acme calls me about the offer.",
    marketing: "Send me news by SMS.",
    controller: "Acme Ltd, 1 Main Street, London",
    privacyUrl: "https://example.com/privacy",
  });
  const domain = new URL(url).hostname;
  const link = await make("/links", { url: "https://example.com/", domain, formId: id });
  return new URL(link["shortLink"] ?? url).pathname;
}
