import { expect, test } from "vitest";
import { bookmarkletOf, newLinkParameters, startOfLink } from "./start-of-link.ts";

test("the page of a new link survives its way through the address, whatever it contains", () => {
  const start = { url: "https://example.com/?a=1&b=%26#c", title: "Fish & “chips” + 50%" };
  expect(startOfLink(new URLSearchParams(`${newLinkParameters(start)}`))).toEqual(start);
  expect(startOfLink(new URLSearchParams("newTitle=Only"))).toBeUndefined();
});

test("a title has up to 500 characters", () => {
  const titleOf = (chars: number) =>
    newLinkParameters({ url: "https://example.com", title: "x".repeat(chars) }).get("newTitle");
  expect([titleOf(500)?.length, titleOf(501)?.length]).toEqual([500, 500]);
});

test("the bookmarklet opens the form with the address and title of the page, and gives the page no access to it", () => {
  const opened: unknown[][] = [];
  const code = bookmarkletOf("https://links.example.com", "acme").replace("javascript:", "");
  const run = new Function("open", "location", "document", code);
  run(
    (...given: unknown[]) => opened.push(given),
    { href: "https://example.com/?q='\"&x=1#y" },
    { title: 'It\'s 50% "off"' },
  );
  const [[address, , features] = []] = opened;
  const { pathname, searchParams } = new URL(String(address));
  expect(pathname).toBe("/app/new/link");
  expect(Object.fromEntries(searchParams)).toEqual({
    workspace: "acme",
    url: "https://example.com/?q='\"&x=1#y",
    title: 'It\'s 50% "off"',
  });
  expect(features).toContain("noopener");
});
