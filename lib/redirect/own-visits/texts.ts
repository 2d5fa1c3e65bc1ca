import type { Language } from "#lib/redirect/visitor-pages";

export interface OwnTexts {
  title: string;
  text: (host: string) => string;
  button: string;
}

type State = "counted" | "excluded";

export const ownTexts: Record<Language, Record<State, OwnTexts>> = {
  en: {
    counted: {
      title: "Your visits are counted",
      text: (host) => `Visits of this browser to links on ${host} count as clicks.`,
      button: "Don’t count my visits",
    },
    excluded: {
      title: "Your visits aren’t counted",
      text: (host) =>
        `Visits of this browser to links on ${host} are counted with bots. A cookie on this domain remembers this for 400 days.`,
      button: "Count my visits again",
    },
  },
  zh: {
    counted: {
      title: "你的访问会计入点击",
      text: (host) => `通过此浏览器访问 ${host} 上的链接会计为点击。`,
      button: "不计入我的访问",
    },
    excluded: {
      title: "你的访问不计入点击",
      text: (host) =>
        `通过此浏览器访问 ${host} 上的链接会归入机器人流量。此域名下的 Cookie 会保留这一设置 400 天。`,
      button: "重新计入我的访问",
    },
  },
};
