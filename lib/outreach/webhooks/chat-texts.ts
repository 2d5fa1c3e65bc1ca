/** The words of messages to chats. What they say about an event is in event-kinds.ts. */
import { minorDigits } from "#lib/basics/formats/schema";
import type { Locale } from "#lib/platform/messages/schema";

export interface ImportResult {
  failed: boolean;
  /** Links. */
  created: number;
  /** Rows. */
  refused: number;
}

export interface ChatTexts {
  counted: (counted: Counted, count: number) => string;
  /** In minor units of the currency. */
  amount: (amount: number, currency: string) => string;
  import: (result: ImportResult) => string;
  more: (count: number) => string;
}

const number = (locale: Locale) => (count: number) => new Intl.NumberFormat(locale).format(count);

/** One and many of something in English, and `#` of it in Chinese. */
export type Counted = readonly [one: string, many: string, inChinese: string];
export const clicksText: Counted = ["1 click", "clicks", "# 次点击"];

const countIn: Readonly<Record<Locale, (counted: Counted, count: number) => string>> = {
  en: ([one, many], count) => (count === 1 ? one : `${number("en")(count)} ${many}`),
  zh: ([, , inChinese], count) => inChinese.replace("#", number("zh")(count)),
};

const money = (locale: Locale) => (amount: number, currency: string) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    amount / 10 ** (minorDigits(currency) ?? 0),
  );

function inEnglish(): ChatTexts {
  const shown = number("en");
  const ending = (one: string, many: string, rest: string) => (count: number) =>
    `${shown(count)} ${count === 1 ? one : many} ${rest}`;
  return {
    counted: countIn.en,
    amount: money("en"),
    import: ({ failed, created, refused }) => {
      const links = ending("link", "links", "created")(created);
      const rows = ending("row", "rows", "refused")(refused);
      return `${failed ? "failed, " : ""}${links}, ${rows}`;
    },
    more: (count) => `and ${shown(count)} more`,
  };
}

function inChinese(): ChatTexts {
  const shown = number("zh");
  return {
    counted: countIn.zh,
    amount: money("zh"),
    import: ({ failed, created, refused }) =>
      `${failed ? "失败，" : ""}创建 ${shown(created)} 条链接，${shown(refused)} 行未导入`,
    more: (count) => `另有 ${shown(count)} 项`,
  };
}

export const chatTexts: Readonly<Record<Locale, ChatTexts>> = {
  en: inEnglish(),
  zh: inChinese(),
};
