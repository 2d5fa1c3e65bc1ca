/** Pictures of the landing page, in each language and theme. */
import { setTimeout as sleep } from "node:timers/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { loadMessages, locales } from "#lib/platform/messages/schema";
import { Advice } from "./processes.ts";

/** Narrow, so that the text in them is readable on a phone. */
const size = { width: 720, height: 560 };
const sendingMs = 60_000;
const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15";
const visitor = {
  "User-Agent": `${phone} (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
  Accept: "text/html,application/xhtml+xml",
  "Accept-Language": "en-US,en;q=0.9",
};

const names = ["Mia", "Noah", "Li Na", "Emma", "Leon", "Wang Wei", "Ida", "Jonas", "Chen Yu"];
const recipientCount = 120;
/** One recipient in three clicks. */
const clickEvery = 3;

const design = {
  dots: "rounded",
  corners: "rounded",
  foreground: "#134e4a",
  cornerColor: "#0f766e",
};

type Take = (name: string, part: Page | Locator) => Promise<void>;
type Messages = Awaited<ReturnType<typeof loadMessages>>;

interface Shown {
  path: string;
  heading: (messages: Messages) => string;
}

export async function takeLandingPictures(page: Page, take: Take): Promise<void> {
  const call = caller(page.request, new URL(page.url()).origin);
  const [{ id: link }] = await call("get", "links?sortBy=clicks&pageSize=1");
  await call("patch", `links/${link}`, { qr: design });
  await page.setViewportSize(size);
  await takeEach(page, take, {
    marketers: { path: "/app/demo/links", heading: ({ linksPage }) => linksPage.heading },
    qr: { path: `/app/demo/links/${link}/qr`, heading: ({ qr }) => qr.heading },
    administrators: { path: "/admin/system", heading: ({ admin }) => admin.nav.system },
  });
  // Last, because its links would be the first ones of the list.
  const campaign = await sendCampaign(call, new URL(page.url()).hostname);
  await takeEach(page, take, {
    sms: { path: `/app/demo/campaigns/${campaign}/recipients`, heading: () => "Autumn sale" },
  });
}

async function takeEach(page: Page, take: Take, pages: Record<string, Shown>): Promise<void> {
  for (const locale of locales) {
    const messages = await loadMessages(locale);
    const url = new URL(page.url()).origin;
    await page.context().addCookies([{ name: "locale", value: locale, url }]);
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [name, { path, heading }] of Object.entries(pages)) {
        await page.goto(path, { waitUntil: "networkidle" });
        await page.getByRole("heading", { level: 1, name: heading(messages) }).waitFor();
        await take(`landing-${name}${theme === "dark" ? "-dark" : ""}.${locale}`, page);
      }
    }
  }
}

/** A campaign that the gateway of the demo has sent, with clicks. */
async function sendCampaign(call: Call, domain: string): Promise<string> {
  const [gateway] = await call("get", "gateways");
  const { id } = await call("post", "campaigns", {
    name: "Autumn sale",
    kind: "service",
    template: "Hi {name}, your order is on its way: {link}",
    destination: "https://www.alderpine.example/autumn?r={recipientId}",
    domain,
    defaultCountry: "DE",
    columns: [{ name: "name" }],
    prices: { currency: "EUR", perPart: { DE: "0.07" } },
  });
  const rows = Array.from({ length: recipientCount }, (_, at) => ({
    messageId: `order-${at}`,
    phone: `+49151${String(23_000_000 + at * 7_919)}`,
    columns: { name: names[at % names.length] },
  }));
  const added = await call("post", `campaigns/${id}/recipients`, rows);
  await call("post", `campaigns/${id}/start`, { gatewayId: gateway.id, rate: 100 });
  for (let at = 0; at < recipientCount; at += clickEvery) {
    await fetch(added[at].shortLink, { headers: visitor, redirect: "manual" });
  }
  const clicked = Math.ceil(recipientCount / clickEvery);
  const deadline = Date.now() + sendingMs;
  for (;;) {
    const status = await call("get", `campaigns/${id}/status`);
    if (status.sending.state === "finished" && status.clicked === clicked) return id;
    if (Date.now() > deadline) throw new Advice(`The campaign: ${JSON.stringify(status)}`);
    await sleep(500);
  }
}

type Call = ReturnType<typeof caller>;

/** Calls the API as the person who is signed in. */
function caller(request: APIRequestContext, origin: string) {
  const headers = { Origin: origin, "X-Fuxi-Workspace": "demo" };
  return async (method: "get" | "post" | "patch", path: string, data?: object) => {
    const answer = await request[method](`/api/${path}`, { headers, ...(data ? { data } : {}) });
    if (!answer.ok()) throw new Advice(`${path}: ${await answer.text()}`);
    return await answer.json();
  };
}
