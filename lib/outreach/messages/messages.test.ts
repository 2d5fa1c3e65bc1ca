import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fillDestination,
  frameMessage,
  parseDestination,
  parseMessage,
  renderMessage,
  tellsPerson,
  warningsOf,
  writeLink,
} from "./index.ts";

const service = { kind: "service", senderName: null, optOutText: null } as const;
const marketing = { kind: "marketing", senderName: "福喜", optOutText: "Reply STOP" } as const;

function render(text: string, values: Record<string, string>) {
  const parsed = parseMessage(text, ["name", "city"]);
  return parsed.ok ? renderMessage(parsed.pieces, values, "US", service) : parsed;
}

describe("a template", () => {
  test("takes the link, columns, and a fallback for an empty column", () => {
    const text = "Hi {name|customer}, see {link} in {city}";
    expect(render(text, { link: "s.co/1", city: "Rome" })).toEqual({
      ok: true,
      text: "Hi customer, see s.co/1 in Rome",
    });
    expect(render(text, { link: "s.co/1", city: "Rome", name: "Li" })).toMatchObject({
      text: "Hi Li, see s.co/1 in Rome",
    });
    expect(render(text, { link: "s.co/1", city: " " })).toEqual({ ok: false, missing: "city" });
    expect(render("Hi{name|}!", { name: "" })).toMatchObject({ text: "Hi!" });
  });

  test("never reads a value as a template, and only own values of a recipient", () => {
    expect(render("Hi {name}", { name: "{link} }}" })).toMatchObject({ text: "Hi {link} }}" });
    const parsed = parseMessage("{toString}", ["toString"]);
    const filled = parsed.ok && renderMessage(parsed.pieces, {}, "US", service);
    expect(filled).toEqual({ ok: false, missing: "toString" });
  });

  test("any text with its braces doubled is that text", () => {
    const property = fc.property(fc.string(), (text) => {
      const escaped = text.replaceAll("{", "{{").replaceAll("}", "}}");
      expect(render(escaped, {})).toEqual({ ok: true, text });
    });
    fc.assert(property);
  });

  test.each([
    ["Hi {name", "The { at position 4 has no }. Write {{ for a brace."],
    ["Hi }", "The } at position 4 has no {. Write }} for a brace."],
    [
      "{phone}",
      "{phone} is unknown. Use {link}, {optout}, {name}, {city}, or add a column with this name.",
    ],
  ])("%s is refused", (text, message) => {
    expect(render(text, {})).toMatchObject({ ok: false, message });
  });

  test("a link is written with or without its scheme", () => {
    expect(writeLink("https://s.co/1", true)).toBe("https://s.co/1");
    expect(writeLink("https://s.co/1", false)).toBe("s.co/1");
  });
});

describe("what is added", () => {
  test("a marketing message to mainland China has the signature and the required opt-out text", () => {
    expect(frameMessage("看 s.co/1", "CN", marketing)).toBe("【福喜】看 s.co/1 拒收请回复R");
    expect(frameMessage("看 s.co/1 拒收请回复R", "CN", marketing)).toBe(
      "【福喜】看 s.co/1 拒收请回复R",
    );
    expect(frameMessage("【福喜】看", "CN", marketing)).toBe("【福喜】看 拒收请回复R");
  });

  test("elsewhere it ends with the opt-out text of the campaign, once", () => {
    expect(frameMessage("See s.co/1", "US", marketing)).toBe("See s.co/1 Reply STOP");
    expect(frameMessage("See s.co/1. Reply STOP", "US", marketing)).toBe("See s.co/1. Reply STOP");
  });

  test("a service message has no opt-out text", () => {
    expect(frameMessage("Code 1", "CN", { ...marketing, kind: "service" })).toBe("【福喜】Code 1");
    expect(frameMessage("Code 1", "CN", service)).toBe("Code 1");
  });
});

describe("warnings", () => {
  const warn = (text: string, isShared = false) => {
    const parsed = parseMessage(text, []);
    return parsed.ok ? warningsOf(parsed.pieces, isShared) : [];
  };

  test("name a missing link, a missing space after it, and a shared domain", () => {
    expect(warn("Hello")).toEqual(["no_link"]);
    expect(warn("{link}立即查看")).toEqual(["no_space"]);
    expect(warn("{link}.")).toEqual(["no_space"]);
    expect(warn("{link} now")).toEqual([]);
    expect(warn("Now: {link}")).toEqual([]);
    expect(warn("Now: {link}", true)).toEqual(["shared_domain"]);
  });
});

describe("a destination", () => {
  const columns = [
    { name: "coupon", personal: false },
    { name: "birthday", personal: true },
    { name: "phone", personal: false },
    { name: "E-mail", personal: false },
    { name: "first_name", personal: false },
    { name: "手机号", personal: false },
  ];
  const read = (text: string) => parseDestination(text, columns);

  test("takes the opaque id and columns that are not personal, percent-encoded", () => {
    const parsed = read("https://example.com/a?r={recipientId}&c={coupon}");
    const filled =
      parsed.ok && fillDestination(parsed.pieces, { recipientId: "rcp_1", coupon: "a&b=中/#" });
    expect(filled).toEqual({
      ok: true,
      text: "https://example.com/a?r=rcp_1&c=a%26b%3D%E4%B8%AD%2F%23",
    });
    expect(read("https://example.com").ok).toBe(true);
    expect(read("https://example.com?x={coupon}").ok).toBe(true);
  });

  test.each(["birthday", "phone", "E-mail", "first_name", "手机号"])(
    "refuses {%s}, whatever it is marked as",
    (name) => {
      expect(read(`https://example.com/?x={${name}}`)).toMatchObject({
        ok: false,
        message: `{${name}} is personal and would be visible in the destination. Use {recipientId}, or a column that isn’t personal.`,
      });
    },
  );

  test.each([
    "https://{coupon}.example.com/",
    "{coupon}",
    "https://example.com{coupon}",
    "ftp://x/",
  ])("%s has no fixed host, and is refused", (text) => {
    expect(read(text).ok).toBe(false);
  });

  test("of a recipient is recognized when it tells the phone or an email address", () => {
    const phone = "+8613800138000";
    expect(tellsPerson("x=13800138000", phone)).toBe(true);
    expect(tellsPerson("x=+86 138-0013-8000", phone)).toBe(true);
    expect(tellsPerson("x=li@example.com", phone)).toBe(true);
    expect(tellsPerson("x=13800138001", phone)).toBe(false);
    expect(tellsPerson("A1B2", phone)).toBe(false);
  });
});
