/** UTM parameters within a URL. */
import { describe, expect, test } from "vitest";
import { variantsAfter, withEditedParameters, withParameters } from "./parameters.ts";

const followed = (urls: readonly string[], before: string, next: string) =>
  variantsAfter(
    urls.map((url) => ({ url })),
    before,
    next,
  ).map(({ url }) => url);

describe("variants of an A/B test follow the destination", () => {
  const destination = "https://example.com/a";

  test("the first one is the destination", () => {
    const urls = [destination, "https://example.com/b"];
    expect(followed(urls, destination, "https://example.com/c")).toEqual([
      "https://example.com/c",
      "https://example.com/b",
    ]);
  });

  test("a first one of its own stays", () => {
    const urls = ["https://example.com/own", "https://example.com/b"];
    expect(followed(urls, destination, "https://example.com/c")).toEqual(urls);
  });

  test("UTM parameters are added, changed and removed in all", () => {
    const urls = [destination, "https://example.com/b?size=1#top"];
    const mail = followed(urls, destination, `${destination}?utm_source=mail`);
    expect(mail).toEqual([
      `${destination}?utm_source=mail`,
      "https://example.com/b?size=1&utm_source=mail#top",
    ]);
    const sms = followed(mail, `${destination}?utm_source=mail`, `${destination}?utm_source=sms`);
    expect(sms[1]).toBe("https://example.com/b?size=1&utm_source=sms#top");
    expect(followed(sms, `${destination}?utm_source=sms`, destination)).toEqual(urls);
  });

  test("a value of its own stays", () => {
    const urls = [destination, "https://example.com/b?utm_content=b"];
    const next = `${destination}?utm_source=mail&utm_content=a`;
    expect(followed(urls, destination, next)[1]).toBe(
      "https://example.com/b?utm_content=b&utm_source=mail",
    );
    expect(followed(urls, next, destination)[1]).toBe(urls[1]);
  });

  test.each(["tel:110", "mailto:a@example.com", "tg://resolve", ""])(
    "no parameters are added to %j",
    (url) => {
      expect(followed([destination, url], destination, `${destination}?utm_source=mail`)[1]).toBe(
        url,
      );
    },
  );
});

const before = "https://a.example/?a=1&utm_source=mail&b=2&utm_term=old#part";

test("a changed parameter stays in its place, and a new one is added at the end", () => {
  expect(withParameters(before, { utm_source: "x", utm_medium: "y" }, "drop")).toBe(
    "https://a.example/?a=1&utm_source=x&b=2&utm_term=old&utm_medium=y#part",
  );
});

test("a repeated parameter is written once, in the place of the first", () => {
  const url = "https://a.example/?utm_source=x&a=1&utm%5Fsource=y";
  expect(withParameters(url, { utm_source: "z" }, "drop")).toBe(
    "https://a.example/?utm_source=z&a=1",
  );
});

test("a query gets a path before it", () => {
  expect(withParameters("https://a.example#x", { utm_source: "z" }, "drop")).toBe(
    "https://a.example/?utm_source=z#x",
  );
});

test("a value that the URL has leaves it exactly as it was written", () => {
  const url = "https://a.example?x=&&utm_source=a+b&y";
  expect(withParameters(url, { utm_source: "a b", utm_term: null }, "drop")).toBe(url);
  expect(withEditedParameters(url, undefined, {})).toBe(url);
});

test.each([
  ["keeps what it does not name", {}, "?utm_source=mail&utm_term=old"],
  ["may name other values", { utm_term: "new" }, "?utm_term=new&utm_source=mail"],
  ["may remove a value", { utm_term: null }, "?utm_source=mail"],
  ["may clear a value", { utm_term: "" }, "?utm_source=mail"],
])("a new url %s", (_, given, query) => {
  const wanted = new URLSearchParams(query);
  const url = new URL(withEditedParameters(before, "https://b.example", given));
  expect(Object.fromEntries(url.searchParams)).toEqual(Object.fromEntries(wanted));
});

test("parameters of the new url win over those of the old one", () => {
  const url = "https://b.example/?utm_source=own";
  const kept = "https://b.example/?utm_source=own&utm_term=old";
  expect(withEditedParameters(before, url, {})).toBe(kept);
  // Programs send links back as they received them.
  expect(withEditedParameters(before, url, { utm_source: "mail", utm_medium: null })).toBe(kept);
});
