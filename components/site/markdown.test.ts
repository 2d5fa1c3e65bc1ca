import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";

function render(text: string, title = false): string {
  const html = renderToStaticMarkup(createElement(Markdown, { text, title }));
  return html.replace(/ class="[^"]*"/g, "");
}

test("headings, lists and paragraphs are distinguished, also without empty lines around headings", () => {
  const text = "# Terms\nFirst line\nsecond line\r\n\r\n- one\n- two\n### Deep\n";
  const below = "<p>First line\nsecond line</p><ul><li>one</li><li>two</li></ul><h3>Deep</h3>";
  expect(render(text, true)).toBe(`<h1>Terms</h1>${below.replace("<h3>", '<h3 id="deep">')}`);
  expect(render(text), "below the title of a page").toBe(`<h2>Terms</h2>${below}`);
});

test("text between fences is code, whatever it looks like", () => {
  expect(render("Run:\n\n```sh\n# no heading\n\n- no list\n```\nDone `x`")).toBe(
    "<p>Run:</p><pre><code># no heading\n\n- no list</code></pre><p>Done <code>x</code></p>",
  );
});

test("a table has a row for each of its lines, and nothing else of the extensions is known", () => {
  const table = render("| What | Dub |\n| --- | --- |\n| **Title** | yes |");
  expect(table).toContain('<th scope="col">What</th><th scope="col">Dub</th>');
  expect(table).toContain("<td><strong>Title</strong></td><td>yes</td>");
  expect(render("~~old~~ https://example.com www.example.com a@b.example")).toBe(
    "<p>~~old~~ https://example.com www.example.com a@b.example</p>",
  );
});

test("bold text and addresses of web, mail and neighbouring pages are marked, and nothing else becomes a link", () => {
  expect(render("Write **now** to [us](mailto:a@b.example) at [a](/docs) `c`.")).toBe(
    '<p>Write <strong>now</strong> to <a href="mailto:a@b.example">us</a> at <a href="/docs">a</a> <code>c</code>.</p>',
  );
  for (const href of [
    "javascript:alert(1)",
    "&#106;avascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "<//evil.example>",
  ]) {
    expect(render(`[x](${href}) [x]: <${href}>`)).not.toContain("<a");
  }
  expect(render("[x]\n\n[x]: javascript:alert(1)")).not.toContain("href");
});

test("no text is parsed as HTML, and no image of another server is loaded", () => {
  expect(render("<script>alert(1)</script>\n\na <b onclick=x>b</b> &amp; <!-- c -->")).toBe(
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p><p>a &lt;b onclick=x&gt;b&lt;/b&gt; &amp;amp; &lt;!-- c --&gt;</p>",
  );
  expect(render("![x](https://evil.example/x.png)")).toBe(
    "<p>![x](https://evil.example/x.png)</p>",
  );
});

test("a given picture alone in its paragraph is shown, and any other stays text", () => {
  const file = { src: "/rules.webp", width: 1200, height: 600 };
  const pictures = { "../pictures/rules.webp": file };
  const show = (text: string) =>
    renderToStaticMarkup(createElement(Markdown, { text, pictures })).replace(
      / class="[^"]*"/g,
      "",
    );
  expect(show("![Two rules](../pictures/rules.webp)")).toBe(
    '<img src="/rules.webp" width="600" height="300" alt="Two rules" fetchPriority="low" decoding="sync"/>',
  );
  for (const href of ["https://evil.example/x.png", "../pictures/none.webp", "/rules.webp"]) {
    expect(show(`![x](${href})`)).not.toContain("<img");
  }
  expect(show("Text ![x](../pictures/rules.webp)")).not.toContain("<img");
});
