import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Locale, loadMessages, locales } from "#lib/platform/messages/schema";
import { AuditList, type AuditListEntry } from "./audit-list.tsx";

let ids = 0;

/** An id as the rooms make them. */
function newId(prefix: string): string {
  return `${prefix}_${String(++ids).padStart(26, "0")}`;
}

const tag = newId("tag");
const gone = newId("tag");
const folder = newId("fold");

function entry(more: Partial<AuditListEntry>): AuditListEntry {
  return {
    id: newId("aud"),
    at: "2026-05-01T10:00:00.000Z",
    actor: { id: newId("user"), name: "Ada", type: "user" },
    action: "link.edit",
    subject: newId("link"),
    subjectName: "go.example.com/autumn",
    address: "203.0.113.7",
    agent: null,
    details: null,
    program: "",
    ...more,
  };
}

const entries = [
  entry({ details: { tagIds: { from: [tag], to: [gone, tag] }, folder_pk: { from: 1, to: 2 } } }),
  entry({ actor: { id: newId("user"), name: null, type: "user" } }),
  entry({ actor: { id: newId("key"), name: null, type: "api_key" } }),
  entry({ actor: { id: "system", name: null, type: "system" } }),
  entry({ action: "share.create", subjectName: null, details: { subjectId: folder } }),
  entry({ action: "qr-logo.delete", subject: newId("logo"), subjectName: null }),
  entry({ action: "key.create", details: { scopes: ["links.read", "audit.read"] } }),
];

async function render(locale: Locale): Promise<string> {
  const names = { [tag]: "Autumn", [folder]: "Customers" };
  const child = createElement(AuditList, { entries, names, zone: "UTC" });
  const props = { locale, messages: await loadMessages(locale), timeZone: "UTC", children: child };
  return renderToStaticMarkup(createElement(NextIntlClientProvider, props));
}

test.each(locales)("the audit log in %s has names and words, and no ids", async (locale) => {
  const html = await render(locale);
  expect(html).toContain("Autumn");
  expect(html).toContain("Customers");
  expect(html.replace(/<[^>]*>/g, " ")).not.toMatch(/[a-z]+_[0-9A-Z]{26}|links\.read/);
});

test("an object, a person and a key that are gone are called so", async () => {
  const html = await render("en");
  for (const text of ["deleted, Autumn", "Former member", "Deleted API key", "System"]) {
    expect(html).toContain(text);
  }
});
