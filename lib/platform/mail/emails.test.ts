import { expect, test } from "vitest";
import { namesIn } from "#lib/basics/variants/schema";
import { type EmailName, type EmailValues, escapeHtml, renderEmail } from "./emails.ts";

const firstLinks = [
  { shortLink: "https://go.example/a", host: "shop.example" },
  { shortLink: 'https://go.example/b\n<b>"', host: "" },
];

test("an email about links that retire lists them, one per line, and counts the others", () => {
  const values = { address: "https://go.example/app", workspace: "Acme", firstLinks };
  const english = renderEmail("en", "retiring", { ...values, links: 1_202 });
  expect(english.text).toContain("1,202 links in the workspace Acme");
  expect(english.text).toContain(
    "\n\nhttps://go.example/a → shop.example\nhttps://go.example/b b\nand 1,200 more\n\n",
  );
  expect(english.html).toContain("<li>https://go.example/a → shop.example</li>");
  expect(english.html).not.toContain("<b>");
  const chinese = renderEmail("zh", "retiring", { ...values, links: 3 });
  expect(chinese.text).toContain("\n以及另外 1 条\n\n");
});

test("without further links nothing is counted, and without links there is no list", () => {
  const values = { address: "https://go.example/app", workspace: "Acme" };
  expect(renderEmail("en", "retiring", { ...values, links: 2, firstLinks }).text).not.toContain(
    "more",
  );
  expect(renderEmail("en", "retiring", { ...values, links: 2 }).html).not.toContain("<ul>");
});

const workspace = "Acme";
const ban = { workspace, note: "Phishing." };
const app = {
  workspace,
  host: "go.acme.example",
  since: "2026-11-02",
  visits: 4_000,
  inApp: 0,
  share: 0,
  visitsBefore: 3_900,
  inAppBefore: 390,
  shareBefore: 0.1,
  oneIn: 1_000_000,
};

/** Values of every email, so that a new one can't be without a test. */
const examples: Record<EmailName, readonly EmailValues[]> = {
  reset: [{ minutes: 30 }],
  signin: [{ minutes: 15 }],
  email: [{ email: "ada@acme.example", minutes: 1_440 }],
  held: [{}],
  claimed: [{}],
  connected: [{ workspace }],
  emailChanged: [{ email: "ada@acme.example" }],
  passwordChanged: [{}],
  invitation: [{ workspace, inviter: "Ada" }],
  reportAddress: [{ workspace, inviter: "Ada" }],
  retiring: [{ workspace, links: 1_202, firstLinks }],
  listFailing: (["allow", "block", "warn"] as const).map((list) => ({
    list,
    problem: "It is empty.",
  })),
  factorOn: [{ days: 7 }],
  factorOff: [{ days: 7 }],
  recoveryCodes: [{ days: 7 }],
  passkeyAdded: [{ days: 7 }],
  passkeyRemoved: [{}],
  passkeyCopied: [{}],
  wrongCodes: [{}],
  webhookDisabled: [{ workspace, name: "Orders" }],
  domainSilent: [
    { workspace, host: "go.acme.example", status: 502 },
    { workspace, host: "go.acme.example", status: null },
  ],
  destinationBroken: [
    { workspace, host: "shop.example" },
    { workspace, host: "shop.example", name: "Autumn" },
  ],
  domainBlocked: [
    { ...app, source: "visits" },
    { ...app, app: "douyin", source: "checker" },
  ],
  clicksRising: [{ workspace, clicks: 9_000, usual: 1_000, hours: 3 }],
  clicksFalling: [{ workspace, clicks: 10, usual: 1_000, hours: 3 }],
  planEnding: [
    { workspace, plan: "trial", days: 1 },
    { workspace, plan: "personal", days: 7 },
  ],
  planEnded: [{ workspace, plan: "enterprise" }],
  quotaNear: [{ workspace, percent: 80, quota: "apiKeys", used: 8, limit: 10 }],
  campaignPaused: [
    { workspace, name: "Autumn", reason: "gateway_deleted" },
    { workspace, name: "Autumn", reason: "401" },
  ],
  campaignFinished: [{ workspace, name: "Autumn", sent: 20_000, refused: 3, unknown: 1 }],
  recipientsRefused: [{ workspace, name: "list", refused: 3 }],
  recipientsFailed: [{ workspace, name: "list" }],
  formFailing: [
    { workspace, name: "Survey", reason: "variable_unknown" },
    { workspace, name: "Survey", reason: "401" },
  ],
  codesRising: [{ workspace, country: "CH", asked: 900, usual: 30 }],
  banned: [
    { ...ban, banned: "user" },
    { ...ban, banned: "workspace", name: "Acme" },
    { ...ban, banned: "link", name: "https://go.example/a" },
    { ...ban, banned: "host", name: "shop.example", links: 1 },
    { ...ban, banned: "host", name: "shop.example", links: 2 },
  ],
  banLifted: [{ ...ban, banned: "workspace", name: "Acme" }],
  appealDeclined: [{ ...ban, banned: "user" }],
  reportDismissed: [{ name: "https://go.example/a" }],
  reportActed: [{ name: "https://go.example/a" }],
};

const cases = namesIn(examples).flatMap((name) =>
  examples[name].map((values, at) => ({ name, values, at })),
);
const addressOfEmails = "https://go.example/app";

test.each(cases)("the email $name, example $at, is whole in both languages", ({ name, values }) => {
  for (const locale of ["en", "zh"]) {
    const { subject, text, html } = renderEmail(locale, name, {
      ...values,
      address: addressOfEmails,
    });
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/undefined|null|NaN|\[object| {2}|\.\.|。。/);
      expect(part).not.toMatch(/\b1 (?:days|links|hours) /);
      expect(/\p{Script=Han}/u.test(part)).toBe(locale === "zh");
    }
    // Plain text has all that the HTML has.
    const paragraphs = [...html.matchAll(/<(?:p|li)>([^<]+)<\/(?:p|li)>/g)];
    expect(paragraphs.length).toBeGreaterThan(1);
    for (const [, paragraph = ""] of paragraphs) expect(escapeHtml(text)).toContain(paragraph);
    expect(html.includes(`href="${addressOfEmails}"`)).toBe(text.includes(addressOfEmails));
    if (values.workspace && !("banned" in values)) expect(subject + text).toContain(workspace);
  }
});

test("an email says only what it knows", () => {
  const write = (name: EmailName, values: EmailValues) => renderEmail("en", name, values).text;
  expect(write("factorOn", {})).not.toContain("Undo");
  expect(write("factorOn", { address: addressOfEmails, days: 7 })).toContain("within 7 days");
  expect(write("banned", { banned: "host", name: "shop.example", links: 1 })).toContain(
    "1 link of",
  );
  expect(write("campaignPaused", { reason: "401" })).toContain("responded 401");
  expect(write("codesRising", { country: "CH" })).toContain("to Switzerland within");
});
