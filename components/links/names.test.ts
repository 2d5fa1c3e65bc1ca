import { describe, expect, test } from "vitest";
import { hostOf, withoutScheme } from "./names.ts";

describe("an address as people write it", () => {
  test.each([
    ["https://example.com/", "example.com"],
    ["HTTP://example.com/a/", "example.com/a"],
    ["https://example.com/%E5%B9%B4%E8%B4%A7", "example.com/年货"],
    ["https://example.com/100%", "example.com/100%"],
    ["https://example.com/a%2Fb%3Fc", "example.com/a%2Fb%3Fc"],
  ])("%s is shown as %s", (url, shown) => {
    expect(withoutScheme(url)).toBe(shown);
  });

  test.each(["%E2%80%AE", "%E2%80%8B", "%20", "%00"])(
    "the invisible or bidirectional character %s stays encoded",
    (sign) => {
      const url = `https://example.com/a${sign}moc.elgoog`;
      expect(withoutScheme(url)).toBe(url.replace("https://", ""));
    },
  );

  test("the letter beside a row is that of the host", () => {
    expect(hostOf("https://www.example.com/x")).toBe("example.com");
    expect(hostOf("https://bücher.example/x")).toBe("bücher.example");
    expect(hostOf("http://ann@example.com:8080?a")).toBe("example.com");
    expect(hostOf("no address")).toBe("no address");
  });
});
