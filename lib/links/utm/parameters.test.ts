import { describe, expect, test } from "vitest";
import { variantsAfter } from "./parameters.ts";

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
