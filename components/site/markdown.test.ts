import { expect, test } from "vitest";
import { parseInline, parseMarkdown } from "./markdown.tsx";

test("headings, lists and paragraphs are told apart, also without empty lines around headings", () => {
  expect(parseMarkdown("# Terms\nFirst line\nsecond line\r\n\r\n- one\n- two\n### Deep\n")).toEqual(
    [
      { kind: "heading", level: 1, text: "Terms" },
      { kind: "paragraph", text: "First line second line" },
      { kind: "list", items: ["one", "two"] },
      { kind: "heading", level: 3, text: "Deep" },
    ],
  );
});

test("what stands between fences is code, whatever it looks like", () => {
  expect(parseMarkdown("Run:\n\n```sh\n# no heading\n\n- no list\n```\nDone `x`")).toEqual([
    { kind: "paragraph", text: "Run:" },
    { kind: "code", text: "# no heading\n\n- no list" },
    { kind: "paragraph", text: "Done `x`" },
  ]);
});

test("bold words and addresses of web and mail are marked, and nothing else becomes a link", () => {
  expect(
    parseInline("Write **now** to [us](mailto:a@b.example), not [x](javascript:alert(1))."),
  ).toEqual([
    { kind: "text", text: "Write " },
    { kind: "bold", text: "now" },
    { kind: "text", text: " to " },
    { kind: "link", text: "us", href: "mailto:a@b.example" },
    { kind: "text", text: ", not [x](javascript:alert(1))." },
  ]);
  expect(parseInline("[a](/docs) [b](//evil.example) `c`")).toEqual([
    { kind: "link", text: "a", href: "/docs" },
    { kind: "text", text: " [b](//evil.example) " },
    { kind: "code", text: "c" },
  ]);
  expect(parseInline("<script>")).toEqual([{ kind: "text", text: "<script>" }]);
});
