import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import en from "../../platform/messages/en.json";
import zh from "../../platform/messages/zh.json";
import { importProblem, messages, rowParams, rowProblem } from "./problems.ts";

const catalogues = { en: en.imports.said, zh: zh.imports.said };

function namedIn(sentence: string): string[] {
  return [...sentence.matchAll(/\{(\w+)[,}]/g)].map(([, name = ""]) => name);
}

test.each(["en", "zh"] as const)(
  "every problem of a file, a row or an import has a message in %s, and no other has",
  (locale) => {
    const codes = [...Object.keys(messages), ...Object.keys(rowParams)];
    expect(Object.keys(catalogues[locale]).toSorted()).toEqual(codes.toSorted());
  },
);

test("the dashboard's English message of a file equals the API's", () => {
  expect(catalogues.en).toMatchObject(messages);
});

test.each(["en", "zh"] as const)(
  "messages in %s name only the parameters of the code",
  (locale) => {
    const words = new Map(Object.entries(catalogues[locale]));
    for (const [code, sentence] of Object.entries(messages)) {
      expect(namedIn(words.get(code) ?? "").toSorted(), code).toEqual(namedIn(sentence).toSorted());
    }
    for (const [code, params] of Object.entries(rowParams)) {
      expect(params, code).toEqual(expect.arrayContaining(namedIn(words.get(code) ?? "")));
    }
  },
);

test("messages in Chinese are Chinese", () => {
  for (const sentence of Object.values(catalogues.zh))
    expect(sentence).toMatch(/\p{Script=Han}{3}/u);
});

test("a problem is formatted in both languages from its code and parameters", () => {
  const { message, problem } = importProblem("cell_too_long", {
    line: 12_345,
    column: 2,
    max: "32,767",
  });
  expect(message).toBe(
    "The cell in line 12345, column 2 has more than 32,767 characters. Shorten it, or remove the column.",
  );
  const messageOf = createTranslator({ locale: "zh", messages: zh.imports.said });
  expect(messageOf("cell_too_long", { ...problem.params })).toBe(
    "第 12345 行第 2 列的单元格超过 32,767 个字符。请缩短内容，或删除该列。",
  );
});

test("a problem of a row contains the row's value, cut where it is long", () => {
  const failure = { ok: false, code: "key_taken", message: "Taken." } as const;
  const key = "k".repeat(999);
  expect(rowProblem(failure, { key, url: "https://example.com/" })).toEqual({
    message: "Taken.",
    problem: { code: "key_taken", params: { key: "k".repeat(200) } },
  });
  const details = { field: "title", issue: "long", max: 2_000 };
  const invalid = { ok: false, code: "row_invalid", message: "title: …", details } as const;
  expect(rowProblem(invalid, {}).problem.params).toEqual({ ...details, max: "2000" });
});

test.each([
  ["url", "请填写完整网址", "enter a full URL"],
  ["expiresAt", "请按 2026-12-31", "enter a date"],
  ["proxy", "请填写“是”或“否”", "enter yes or no"],
  ["maxClicks", "请填写范围内的整数", "enter a whole number"],
  ["redirectStatus", "请填写 301", "enter 301, 302"],
  ["geo", "请使用文档中说明的格式", "shown in the documentation"],
  ["key", "这个值无效", "isn’t valid"],
  ["of tomorrow", "这个值无效", "isn’t valid"],
])("a wrong value of %s is answered with the valid values", (field, chinese, english) => {
  const details = { field, issue: "wrong" };
  const invalid = { ok: false, code: "row_invalid", message: "…", details } as const;
  const { params } = rowProblem(invalid, {}).problem;
  const inChinese = createTranslator({ locale: "zh", messages: zh.imports.said });
  const inEnglish = createTranslator({ locale: "en", messages: en.imports.said });
  expect(inChinese("row_invalid", { ...params })).toContain(chinese);
  expect(inEnglish("row_invalid", { ...params })).toContain(english);
});
