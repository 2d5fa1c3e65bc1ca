import { walkTokens } from "marked";
import { expect, test } from "vitest";
import { parseMarkdown } from "#components/site/markdown";
import { guides, readGuide } from "./guides.ts";

const pages = ["/docs/api", "/docs/links", ...guides.map((guide) => `/docs/${guide}`)];

test.each(guides)(
  "the guide %s has the same content in both languages, with the same commands",
  async (guide) => {
    const [english, chinese] = await Promise.all([readGuide(guide, "en"), readGuide(guide, "zh")]);
    const [en, zh] = [parseMarkdown(english), parseMarkdown(chinese)];
    expect(zh.map(({ type }) => type)).toEqual(en.map(({ type }) => type));
    const codes = (blocks: typeof en) => blocks.filter(({ type }) => type === "code");
    expect(codes(zh)).toEqual(codes(en));
  },
);

test.each(guides)("every page that the guide %s links to exists", async (guide) => {
  for (const locale of ["en", "zh"] as const) {
    const links: string[] = [];
    await Promise.all(
      walkTokens(parseMarkdown(await readGuide(guide, locale)), (token) => {
        if (token.type === "link") links.push(token.href);
      }),
    );
    expect(links.filter((href) => !pages.includes(href))).toEqual([]);
  }
});
