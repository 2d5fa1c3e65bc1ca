import { describe, expect, test } from "vitest";
import { type CampaignDraft, emptyCampaign } from "./campaign-draft.ts";
import { type MessageView, previewMessage, type SampleLinks } from "./preview-text.ts";

const links: SampleLinks = {
  domains: [
    { host: "go.example", shortLink: "https://go.example/000000", shared: false },
    { host: "shared.example", shortLink: "https://shared.example/000000", shared: true },
  ],
  areChecked: false,
  optOut: "https://go.example/o/token",
};

function draftOf(template: string, change: Partial<CampaignDraft> = {}): CampaignDraft {
  const variants = [{ id: 0, name: "A", template, percentage: "100" }];
  return { ...emptyCampaign("US"), kind: "service", variants, ...change };
}

function shown(draft: CampaignDraft, country = "US", samples = {}): MessageView {
  const view = previewMessage({ draft, at: 0, country, samples, links });
  if (!view.ok) throw new Error(view.message);
  return view;
}

describe("the preview of a message", () => {
  test("has the link of the chosen domain, and sample values", () => {
    const draft = draftOf("Hi {name|you}: {link} now", { domain: "shared.example" });
    expect(shown(draft, "US", { name: "Li" }).text).toBe(
      "Hi Li: https://shared.example/000000 now",
    );
    expect(shown({ ...draft, linkScheme: false }, "US", { name: "" }).text).toBe(
      "Hi you: shared.example/000000 now",
    );
    expect(shown(draft).warnings).toEqual(["shared_domain"]);
  });

  test("shows a message whose column is not declared, and one without a sample value", () => {
    expect(shown(draftOf("Hi {city}, {link} x")).text).toContain("Hi city, https");
    expect(shown(draftOf("Hi {city}, {link} x"), "US", { city: " " }).text).toContain("Hi city,");
  });

  test("says where a brace is missing", () => {
    const draft = draftOf("Hi {name, {link}");
    expect(previewMessage({ draft, at: 0, country: "US", samples: {}, links })).toMatchObject({
      ok: false,
      code: "name_unknown",
    });
    const open = draftOf("Hi }");
    expect(previewMessage({ draft: open, at: 0, country: "US", samples: {}, links })).toMatchObject(
      { ok: false, code: "brace_close", at: 3 },
    );
  });

  test("counts parts, their cost, and what the short link saves", () => {
    const prices = [{ id: 0, country: "default", price: "0.05" }];
    const destination = `https://example.com/${"x".repeat(200)}?r={recipientId}`;
    const view = shown(draftOf("{link} now", { prices, currency: "usd", destination }));
    expect(view.segments).toMatchObject({ encoding: "GSM-7", parts: [view.text] });
    expect(view).toMatchObject({ cost: "0.05", saved: { parts: 1, cost: "0.05" } });
  });

  test("an unfinished price shows no cost", () => {
    const prices = [{ id: 0, country: "default", price: "a" }];
    expect(shown(draftOf("{link} now", { prices, currency: "USD" })).cost).toBeNull();
  });

  test("names the characters outside of GSM-7, and replaces them in texts only", () => {
    const view = shown(draftOf("Your offer – {link} “now” {ci–ty|a–b}"));
    expect(view.segments.encoding).toBe("UCS-2");
    expect(view.wide.map(({ char }) => char)).toEqual(["–", "“", "”"]);
    expect(view.replaced?.template).toBe('Your offer - {link} "now" {ci–ty|a-b}');
  });

  test("in mainland China nothing is replaced, and messages are framed", () => {
    const draft = draftOf("Offer – {link} now", {
      kind: "marketing",
      senderName: "Acme",
      optOutText: "Reply STOP",
    });
    expect(shown(draft, "CN")).toMatchObject({ wide: [], replaced: undefined });
    expect(shown(draft, "CN").text).toMatch(/^【Acme】.*拒收请回复R$/);
    expect(shown(draft, "US").text).toMatch(/Reply STOP$/);
  });

  test("warns of messages without a link, and with more than ten parts", () => {
    expect(shown(draftOf("Hello")).warnings).toEqual(["no_link"]);
    expect(shown(draftOf("")).warnings).toEqual([]);
    const most = draftOf("x".repeat(153 * 10));
    expect(shown(most).isTooLong).toBe(false);
    expect(shown(draftOf("x".repeat(153 * 10 + 1))).isTooLong).toBe(true);
  });
});
