/** The words of the emails. */
import type { Frequency, ReportKind } from "./schema.ts";

interface ReportTexts {
  titles: Record<Frequency, string>;
  subjects: Record<Exclude<ReportKind, "workspace">, (name: string) => string>;
  subject: (title: string, workspace: string, clicks: string) => string;
  clicks: string;
  visitors: string;
  /** Compared with the period before. */
  same: string;
  more: (percent: string) => string;
  less: (percent: string) => string;
  before: Record<Frequency, string>;
  none: Record<Frequency, string>;
  chart: string;
  links: string;
  countries: string;
  referers: string;
  direct: string;
  unknown: string;
  open: string;
  member: (workspace: string) => string;
  outside: (workspace: string) => string;
  zone: (zone: string) => string;
  stop: string;
}

export const reportTexts: Record<"en" | "zh", ReportTexts> = {
  en: {
    titles: { daily: "Daily report", weekly: "Weekly report", monthly: "Monthly report" },
    subjects: {
      folder: (name) => `Folder: ${name}`,
      tag: (name) => `Tag: ${name}`,
      campaign: (name) => `Campaign: ${name}`,
    },
    subject: (title, workspace, clicks) => `${title} for ${workspace}: ${clicks}`,
    clicks: "Clicks",
    visitors: "Visitors",
    same: "No change",
    more: (percent) => `▲ ${percent}`,
    less: (percent) => `▼ ${percent}`,
    before: {
      daily: "compared with the day before",
      weekly: "compared with the week before",
      monthly: "compared with the same number of days before",
    },
    none: {
      daily: "Nobody clicked a link on this day.",
      weekly: "Nobody clicked a link this week.",
      monthly: "Nobody clicked a link this month.",
    },
    chart: "Clicks over time",
    links: "Top links",
    countries: "Countries",
    referers: "Referrers",
    direct: "Direct",
    unknown: "Unknown",
    open: "Open analytics",
    member: (workspace) =>
      `You get this email because you are a recipient of this report in the workspace ${workspace}.`,
    outside: (workspace) =>
      `You get this email because you confirmed that you want reports from the workspace ${workspace}.`,
    zone: (zone) => `Days are those of the time zone ${zone}. Bots aren’t counted.`,
    stop: "Unsubscribe",
  },
  zh: {
    titles: { daily: "每日报告", weekly: "每周报告", monthly: "每月报告" },
    subjects: {
      folder: (name) => `文件夹：${name}`,
      tag: (name) => `标签：${name}`,
      campaign: (name) => `营销活动：${name}`,
    },
    subject: (title, workspace, clicks) => `${workspace} ${title}：${clicks}`,
    clicks: "点击",
    visitors: "访客",
    same: "无变化",
    more: (percent) => `▲ ${percent}`,
    less: (percent) => `▼ ${percent}`,
    before: {
      daily: "与前一天相比",
      weekly: "与前一周相比",
      monthly: "与此前相同天数相比",
    },
    none: {
      daily: "当天没有点击。",
      weekly: "本周没有点击。",
      monthly: "本月没有点击。",
    },
    chart: "点击趋势",
    links: "热门链接",
    countries: "国家或地区",
    referers: "引荐来源",
    direct: "直接访问",
    unknown: "未知",
    open: "打开数据分析",
    member: (workspace) => `你是工作区 ${workspace} 此报告的收件人，因此收到此邮件。`,
    outside: (workspace) => `你已确认接收工作区 ${workspace} 的报告，因此收到此邮件。`,
    zone: (zone) => `日期以时区 ${zone} 为准，不含机器人。`,
    stop: "退订",
  },
};

export function clicksText(locale: "en" | "zh", clicks: number): string {
  const count = new Intl.NumberFormat(locale).format(clicks);
  if (locale === "zh") return `${count} 次点击`;
  return clicks === 1 ? "1 click" : `${count} clicks`;
}
