/** The email of a report: HTML that old mail programs show too (tables, styles at the elements), and plain text. */
import { inkOn } from "#lib/basics/formats/schema";
import { escapeHtml, unlinked } from "#lib/platform/mail";
import { chartHeight, chartWidth } from "./chart.ts";
import type { ReportPeriod } from "./deliveries.ts";
import type { Counted, ReportFigures, Row } from "./figures.ts";
import type { Frequency, ReportKind } from "./schema.ts";
import { clicksText, reportTexts } from "./texts.ts";

export const themes = {
  light: {
    ground: "#f4f4f5",
    card: "#ffffff",
    text: "#18181b",
    quiet: "#52525b",
    line: "#e4e4e7",
  },
  dark: {
    ground: "#0b0b0d",
    card: "#18181b",
    text: "#fafafa",
    quiet: "#a8a8b0",
    line: "#303036",
  },
} as const;
export const defaultColor = "#0f766e";

export interface ReportContent {
  locale: "en" | "zh";
  kind: ReportKind;
  frequency: Frequency;
  period: ReportPeriod;
  zone: string;
  workspace: string;
  /** Name of the folder, tag or campaign. */
  name: string | null;
  /** The color of the workspace. */
  color: string;
  figures: ReportFigures;
  /** Null for people outside the workspace. */
  analyticsUrl: string | null;
  stopUrl: string;
}

/** Where mail programs find the images. */
export interface ReportImages {
  light: string;
  dark: string;
  logo: string | null;
}

export interface WrittenReport {
  subject: string;
  text: string;
  html: string;
}

export function writeReport(content: ReportContent, images: ReportImages): WrittenReport {
  const { locale, frequency, figures } = content;
  const texts = reportTexts[locale];
  const workspace = unlinked(content.workspace);
  const title = texts.titles[frequency];
  const parts = {
    title,
    workspace,
    about: aboutOf(content),
    period: periodText(content),
    why: [
      content.analyticsUrl === null ? texts.outside(workspace) : texts.member(workspace),
      texts.zone(content.zone),
    ].join(locale === "zh" ? "" : " "),
    lists: [
      { title: texts.links, rows: figures.links.map(({ label, clicks }) => ({ label, clicks })) },
      { title: texts.countries, rows: figures.countries.map((row) => countryRow(locale, row)) },
      { title: texts.referers, rows: figures.referers.map((row) => refererRow(locale, row)) },
    ].filter(({ rows }) => rows.length > 0),
  };
  return {
    subject: texts.subject(title, workspace, clicksText(locale, figures.clicks)),
    text: writeText(content, parts),
    html: writeHtml(content, parts, images),
  };
}

interface Parts {
  title: string;
  workspace: string;
  about: string;
  period: string;
  why: string;
  lists: { title: string; rows: Row[] }[];
}

/** The folder, tag or campaign; for the whole workspace its name. */
function aboutOf({ locale, kind, name, workspace }: ReportContent): string {
  const own = unlinked(workspace);
  if (kind === "workspace") return own;
  return `${own} · ${reportTexts[locale].subjects[kind](unlinked(name ?? ""))}`;
}

function periodText({ locale, frequency, period }: ReportContent): string {
  const [from, until] = [period.startsOn, period.endsOn].map((day) => new Date(`${day}T00:00:00Z`));
  if (!from || !until) return "";
  if (frequency === "monthly") {
    const month = { year: "numeric", month: "long", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(locale, month).format(from);
  }
  const style = { daily: "full", weekly: locale === "zh" ? "long" : "medium" } as const;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: style[frequency], timeZone: "UTC" });
  if (frequency === "daily") return format.format(from);
  // Ranges in Chinese would be written with slashes.
  return locale === "zh"
    ? `${format.format(from)}至${format.format(until)}`
    : format.formatRange(from, until);
}

function countryRow(locale: string, { label, clicks }: Row): Row {
  const { unknown } = reportTexts[locale === "zh" ? "zh" : "en"];
  if (!/^[A-Z]{2}$/.test(label)) return { label: unknown, clicks };
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
  return { label: names.of(label) ?? label, clicks };
}

/** Anyone can send a referrer, so mail programs must not make a link of it: the space after the dot has no width. */
function refererRow(locale: "en" | "zh", { label, clicks }: Row): Row {
  if (label === "(direct)") return { label: reportTexts[locale].direct, clicks };
  return { label: unlinked(label).replaceAll(". ", ".\u200b"), clicks };
}

interface Change {
  text: string;
  tone: "more" | "less" | "same";
}

/** Undefined without a period to compare with. */
function changeOf(
  { locale, figures: { previous } }: ReportContent,
  now: number,
  key: keyof Counted,
): Change | undefined {
  const before = previous?.[key];
  if (before === undefined || (before === 0 && now > 0)) return undefined;
  const { same, more, less } = reportTexts[locale];
  const share = before === 0 ? 0 : Math.abs(now - before) / before;
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(share);
  if (now === before) return { text: same, tone: "same" };
  return now > before
    ? { text: more(percent), tone: "more" }
    : { text: less(percent), tone: "less" };
}

function figureList(content: ReportContent) {
  const { locale, figures } = content;
  const { clicks, visitors } = reportTexts[locale];
  const format = new Intl.NumberFormat(locale);
  const keys = [
    ["clicks", clicks],
    ["visitors", visitors],
  ] as const;
  return keys.map(([key, label]) => ({
    label,
    value: format.format(figures[key]),
    change: changeOf(content, figures[key], key),
  }));
}

function writeText(content: ReportContent, parts: Parts): string {
  const { locale, frequency, figures, analyticsUrl, stopUrl } = content;
  const texts = reportTexts[locale];
  const format = new Intl.NumberFormat(locale);
  const lines = figureList(content).map(({ label, value, change }) =>
    change
      ? `${label}: ${value} (${change.text}, ${texts.before[frequency]})`
      : `${label}: ${value}`,
  );
  const lists = parts.lists.map(({ title, rows }) =>
    [title, ...rows.map(({ label, clicks }) => `${label}: ${format.format(clicks)}`)].join("\n"),
  );
  return [
    `${parts.title} – ${parts.about}\n${parts.period}`,
    lines.join("\n"),
    ...(figures.clicks === 0 ? [texts.none[frequency]] : lists),
    ...(analyticsUrl === null ? [] : [`${texts.open}: ${analyticsUrl}`]),
    parts.why,
    `${texts.stop}: ${stopUrl}`,
  ].join("\n\n");
}

const { light, dark } = themes;
const fonts =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif";
const tones = { more: "#15803d", less: "#b42318", same: light.quiet } as const;
const darkTones = { more: "#4ade80", less: "#ff9d94", same: dark.quiet } as const;

function styles(): string {
  return [
    ":root{color-scheme:light dark;supported-color-schemes:light dark}",
    "@media(prefers-color-scheme:dark){",
    `.g{background:${dark.ground}!important}.c{background:${dark.card}!important;border-left-color:${dark.line}!important;border-right-color:${dark.line}!important;border-bottom-color:${dark.line}!important}`,
    `.t{color:${dark.text}!important}.q{color:${dark.quiet}!important}.l{border-color:${dark.line}!important}`,
    ...Object.entries(darkTones).map(([tone, shade]) => `.${tone}{color:${shade}!important}`),
    ".light{display:none!important}.dark{display:block!important;max-height:none!important}}",
  ].join("");
}

function writeHtml(content: ReportContent, parts: Parts, images: ReportImages): string {
  const { locale, frequency, figures, color, analyticsUrl, stopUrl } = content;
  const texts = reportTexts[locale];
  const body = [
    headHtml(parts, images),
    figuresHtml(content),
    figures.clicks === 0
      ? `<p class="q" style="margin:24px 0 0;color:${light.quiet};font-size:15px">${texts.none[frequency]}</p>`
      : chartHtml(texts.chart, images) + parts.lists.map((list) => listHtml(locale, list)).join(""),
    analyticsUrl === null ? "" : buttonHtml(texts.open, analyticsUrl, color),
  ].join("");
  return [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(parts.title)}</title><style>${styles()}</style></head>`,
    `<body class="g" style="margin:0;background:${light.ground}">`,
    `<table role="presentation" class="g" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground};font-family:${fonts}"><tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" class="c" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:${light.card};border:1px solid ${light.line};border-top:4px solid ${color};border-radius:12px;text-align:left"><tr><td style="padding:28px 32px 32px">`,
    body,
    "</td></tr></table>",
    `<p class="q" style="max-width:536px;margin:20px auto 0;color:${light.quiet};font-size:12px;line-height:1.6">${escapeHtml(parts.why)}<br><a class="q" href="${escapeHtml(stopUrl)}" style="color:${light.quiet}">${texts.stop}</a></p>`,
    "</td></tr></table></body></html>",
  ].join("");
}

function headHtml({ title, about, period }: Parts, { logo }: ReportImages): string {
  const image =
    logo === null
      ? ""
      : `<img src="${logo}" alt="" height="40" style="display:block;height:40px;width:auto;margin:0 0 16px;padding:4px;background:#fff;border-radius:6px">`;
  return [
    image,
    `<h1 class="t" style="margin:0;color:${light.text};font-size:22px;line-height:1.3;font-weight:600">${escapeHtml(title)}</h1>`,
    `<p class="q" style="margin:4px 0 0;color:${light.quiet};font-size:14px;line-height:1.5;overflow-wrap:anywhere">${escapeHtml(about)}<br>${escapeHtml(period)}</p>`,
  ].join("");
}

function figuresHtml(content: ReportContent): string {
  const { frequency, locale } = content;
  const list = figureList(content);
  const cells = list.map(({ label, value, change }) => {
    const tone = change
      ? ` <span class="${change.tone}" style="color:${tones[change.tone]};font-size:14px;font-weight:600;white-space:nowrap">${escapeHtml(change.text)}</span>`
      : "";
    return `<td width="50%" style="vertical-align:top"><div class="q" style="color:${light.quiet};font-size:13px">${label}</div><div class="t" style="color:${light.text};font-size:28px;line-height:1.4;font-weight:600">${value}${tone}</div></td>`;
  });
  const note = list.some(({ change }) => change)
    ? `<p class="q" style="margin:2px 0 0;color:${light.quiet};font-size:12px">${reportTexts[locale].before[frequency]}</p>`
    : "";
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-top:24px"><tr>${cells.join("")}</tr></table>${note}`;
}

function chartHtml(alt: string, images: ReportImages): string {
  const size = `width="${chartWidth}" height="${chartHeight}"`;
  const style = "width:100%;height:auto;border:0";
  return [
    '<div style="margin-top:24px">',
    `<img class="light" src="${images.light}" alt="${alt}" ${size} style="display:block;${style}">`,
    // Only mail programs that know dark colors show it.
    `<img class="dark" src="${images.dark}" alt="${alt}" ${size} style="display:none;mso-hide:all;max-height:0;${style}">`,
    "</div>",
  ].join("");
}

function listHtml(locale: string, { title, rows }: Parts["lists"][number]): string {
  const format = new Intl.NumberFormat(locale);
  const lines = rows.map(
    ({ label, clicks }) =>
      `<tr><td class="l t" style="padding:8px 12px 8px 0;border-top:1px solid ${light.line};color:${light.text};font-size:14px;overflow-wrap:anywhere;word-break:break-word">${escapeHtml(label)}</td>` +
      `<td class="l q" align="right" style="padding:8px 0;border-top:1px solid ${light.line};color:${light.quiet};font-size:14px;white-space:nowrap">${format.format(clicks)}</td></tr>`,
  );
  return `<h2 class="t" style="margin:28px 0 8px;color:${light.text};font-size:15px;font-weight:600">${title}</h2><table role="presentation" width="100%" cellpadding="0" cellspacing="0">${lines.join("")}</table>`;
}

function buttonHtml(label: string, url: string, color: string): string {
  return `<p style="margin:28px 0 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:${color};color:${inkOn(color)};font-size:14px;font-weight:600;text-decoration:none">${label}</a></p>`;
}
