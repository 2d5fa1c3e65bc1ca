import { expect, test } from "vitest";
import { withLateScripts } from "./late-scripts.ts";

const page = `<html><head><link rel="stylesheet" href="/_next/static/a.css"/>
<link rel="preload" as="script" fetchPriority="low" nonce="n0nce=" href="/_next/static/b.js"/>
<script src="/_next/static/b.js" async="" nonce="n0nce="></script>
<script src="/_next/static/old.js" noModule="" async="" nonce="n0nce="></script></head>
<body><p>Text</p><script nonce="n0nce=">self.__next_f=[]</script>
<script src="/_next/static/c.js" nonce="n0nce=" id="_R_" async=""></script></body></html>`;

test("scripts of a page are loaded later, by one that its policy permits", () => {
  const html = withLateScripts(page);
  expect(html).not.toMatch(/src="\/_next\/static\/[bc]\.js"|rel="preload"/);
  expect(html).toContain('<script nonce="n0nce=" id="late-scripts">');
  expect(html).toContain('(["/_next/static/b.js","/_next/static/c.js"],null)');
});

test("with a wait, they are loaded even if nobody uses the page", () => {
  expect(withLateScripts(page, 20_000)).toContain('"/_next/static/c.js"],20000)');
});

test("everything else stays as it is", () => {
  const html = withLateScripts(page);
  expect(html).toContain('<link rel="stylesheet" href="/_next/static/a.css"/>');
  expect(html).toContain('<script nonce="n0nce=">self.__next_f=[]</script>');
  expect(html).toContain('src="/_next/static/old.js"');
  expect(html).toContain("<p>Text</p>");
});

test("a page without scripts, or without a policy for them, is not changed", () => {
  for (const html of ["<html><head></head></html>", page.replaceAll(/ nonce="[^"]+"/g, "")]) {
    expect(withLateScripts(html)).toBe(html);
  }
});
