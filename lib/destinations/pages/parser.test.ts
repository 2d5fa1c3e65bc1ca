import { describe, expect, test } from "vitest";
import { depthMax, parseHead } from "./parser.ts";

const parse = (html: string) =>
  parseHead({ bytes: Buffer.from(html), url: "https://a.example/x/", type: "text/html" });

/** In milliseconds: other work of the machine does not count. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

const metadata = `<title>Found</title><meta name="theme-color" content="#ABC"><link rel="icon" href="i.png">`;

test("title, color and icons are read, and whether the head has ended is known", () => {
  const found = {
    title: "Found",
    themeColor: "#aabbcc",
    icons: ["https://a.example/x/i.png"],
  };
  expect(parse(metadata)).toMatchObject({ ...found, ended: false });
  for (const end of ["</head>", "<body>"]) {
    expect(parse(`<head>${metadata}${end}<title>No</title>`)).toMatchObject({
      ...found,
      ended: true,
    });
  }
});

test.each(["teal", "#12345", "url(#abc)"])("%s is no color", (color) => {
  expect(parse(`<meta name="theme-color" content="${color}">`).themeColor).toBeNull();
});

test("a script may contain what looks like the end of the head", () => {
  const html = `<head><script>"<body></head>"</script>${metadata}`;
  expect(parse(html)).toMatchObject({ title: "Found", ended: false });
});

test("elements nested up to the limit are read, and nothing after a deeper one", () => {
  const nested = (depth: number) => `${"<b>".repeat(depth)}${"</b>".repeat(depth)}${metadata}`;
  expect(parse(nested(depthMax))).toMatchObject({ title: "Found", ended: false });
  expect(parse(nested(depthMax + 1))).toMatchObject({ title: null, ended: true });
});

describe("half a megabyte takes hardly any time", () => {
  test.each([
    ["open elements", "<b>".repeat(174_000)],
    ["open elements after the head", `</head>${"<b>".repeat(174_000)}`],
    ["open elements in the body", `<body>${"<b>".repeat(174_000)}`],
    ["pictures of SVG", "<svg>".repeat(100_000)],
    ["forms", "<form>".repeat(87_000)],
    ["closing tags", "</b>".repeat(130_000)],
    ["paragraphs", "<p>".repeat(174_000)],
    ["attributes", `<meta ${"a=1 ".repeat(130_000)}>`],
    [
      "different attributes",
      `<meta ${Array.from({ length: 60_000 }, (_, at) => `a${at}`).join(" ")}>`,
    ],
    ["a tag that never ends", `<meta ${'a="'.repeat(170_000)}`],
    ["entities", "&amp;".repeat(104_000)],
    ["open comments", "<!--".repeat(130_000)],
    ["icons", '<link rel="icon" href="a">'.repeat(20_000)],
    ["words of a rel", `<link rel="${"icon ".repeat(100_000)}" href="a">`],
  ])("%s", (_name, html) => {
    // It was 11 s.
    expect(cpuOf(() => parse(html))).toBeLessThan(500);
  });
});
