import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Import, Preview } from "#lib/transfer/imports/schema";
import en from "../../lib/platform/messages/en.json";
import zh from "../../lib/platform/messages/zh.json";
import { ImportPreview } from "./import-preview.tsx";
import { ImportResults } from "./import-results.tsx";

const catalogues = { en, zh };

function shown(locale: "en" | "zh", page: ReactNode): string {
  return renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={catalogues[locale]} timeZone="UTC">
      {page}
    </NextIntlClientProvider>,
  );
}

const preview: Preview = {
  obstacle: "No column is mapped to the destination. Choose the column that contains the URLs.",
  obstacleProblem: { code: "no_url_column", params: {} },
  warnings: [],
  notes: [],
  checked: 3,
  refused: [],
  creates: 0,
  domains: [],
  rows: [
    { line: 4, link: null },
    { line: 5, link: null },
    { line: 6, link: null },
  ],
  problems: [
    {
      line: 4,
      code: "row_invalid",
      params: { field: "url", issue: "address", max: "" },
      message: "url: Give a complete address.",
    },
    { line: 5, code: "key_taken", params: { key: "sale" }, message: "The key is taken." },
    { line: 6, code: "of_tomorrow", params: {}, message: "Said by a newer API." },
  ],
};

test("a preview shows in Chinese the problems of a file and its rows", () => {
  const page = shown("zh", <ImportPreview preview={preview} stale={false} />);
  expect(page).toContain(zh.imports.said.no_url_column);
  expect(page).toContain(
    `${zh.imports.fields.url}：请填写完整网址，例如 https://example.com/page。`,
  );
  expect(page).toContain("后缀“sale”已被占用，请换一个。");
  expect(page).not.toContain("full URL");
  expect(page).not.toContain("is taken");
});

test("a code without a catalogue message is shown with the API's text", () => {
  for (const locale of ["en", "zh"] as const) {
    expect(shown(locale, <ImportPreview preview={preview} stale={false} />)).toContain(
      "Said by a newer API.",
    );
  }
});

const ended: Import = {
  id: "imp_1",
  name: "links.csv",
  state: "failed",
  bytes: 10,
  rows: 3,
  done: 1,
  made: 1,
  reused: 0,
  refused: 0,
  rowsPerSecond: null,
  secondsLeft: null,
  error: 'This workspace has no verified domain "go.example.com". Add it, or verify it, first.',
  problem: { code: "domain_unknown", params: { domain: "go.example.com" } },
  createdAt: "2026-01-31T12:00:00.000Z",
  startedAt: null,
  finishedAt: null,
  expiresAt: null,
  undoUntil: null,
  undoneAt: null,
  encoding: "utf-8",
  delimiter: ",",
  columns: [],
  mapping: [],
  options: {
    heading: false,
    domain: null,
    otherDomain: null,
    domains: {},
    folderId: null,
    tagIds: [],
    onTakenKey: "refuse",
    onMissingName: "make",
  },
  source: null,
  undoLinks: 0,
  firstRows: [],
};

test("the end of an import shows its reason in Chinese, and in English for imports that predate codes", () => {
  const end = (found: Import) =>
    shown(
      "zh",
      <ImportResults
        workspace="w"
        shown={found}
        onShown={() => {}}
        mayWrite={false}
        undoImport={null}
      />,
    );
  expect(end(ended)).toContain("此工作区没有已验证的域名“go.example.com”。");
  expect(end(ended)).not.toContain("verified domain");
  expect(end({ ...ended, problem: null })).toContain("This workspace has no verified domain");
});
