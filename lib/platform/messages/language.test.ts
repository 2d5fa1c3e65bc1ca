import { describe, expect, test } from "vitest";
import { findLocale, findZone, preferredLocale } from "./schema.ts";

describe("the language of a request", () => {
  test.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["de-DE,de;q=0.9,en;q=0.5,zh;q=0.4", "en"],
    ["en;q=0.3,zh-Hans;q=0.9", "zh"],
    ["zh;q=0,en;q=0.1", "en"],
    ["fr", "en"],
    ["", "en"],
    [";;;q=,,", "en"],
  ])("Accept-Language %j asks for %s", (header, locale) => {
    expect(preferredLocale(header)).toBe(locale);
  });

  test("a cookie with an unsupported language is ignored", () => {
    expect(findLocale("zh")).toBe("zh");
    expect(findLocale("../../etc/passwd")).toBeUndefined();
    expect(findLocale(undefined)).toBeUndefined();
  });
});

describe("the zone of a person", () => {
  test("a zone that the runtime does not know is ignored", () => {
    expect(findZone("Asia/Shanghai")).toBe("Asia/Shanghai");
    expect(findZone("Mars/Olympus")).toBeUndefined();
    expect(findZone("")).toBeUndefined();
  });
});
