import type { AbuseReason } from "#lib/basics/abuse/schema";
import type { Notice } from "#lib/tenancy/ban-recipients";

interface ReportPage {
  title: string;
  textOf: (workspace: string) => string;
  send: string;
  doneTitle: string;
  done: string;
  missingTitle: string;
  missing: string;
}

export interface TrustTexts {
  reasons: Record<AbuseReason, string>;
  tooManyTitle: string;
  tooMany: string;
  report: {
    title: string;
    text: string;
    link: string;
    reason: string;
    details: string;
    email: string;
    emailHint: string;
    send: string;
    invalid: string;
    doneTitle: string;
    done: string;
    closedTitle: string;
    closed: string;
  };
  optOut: {
    title: string;
    text: string;
    textOf: (sender: string) => string;
    send: string;
    doneTitle: string;
    done: string;
    missingTitle: string;
    missing: string;
  };
  stopReports: ReportPage;
  confirmReports: ReportPage;
  appeal: {
    title: Record<Notice["ban"]["kind"], string>;
    because: string;
    until: (date: string) => string;
    invite: string;
    text: string;
    send: string;
    short: string;
    states: Record<Exclude<Notice["appeal"], "possible">, string>;
    missingTitle: string;
    missing: string;
    signIn: string;
  };
}

export const texts: Record<"en" | "zh", TrustTexts> = {
  en: {
    reasons: {
      phishing: "Phishing or fraud",
      malware: "Harmful software",
      spam: "Spam",
      illegal: "Illegal content",
      copyright: "Copyright infringement",
      other: "Something else",
    },
    tooManyTitle: "Too many attempts",
    tooMany: "Wait a while, then try again.",
    report: {
      title: "Report a link",
      text: "An administrator will review it. The owner of the link won’t learn who reported it.",
      link: "Short link",
      reason: "Reason",
      details: "Details (optional)",
      email: "Email address (optional)",
      emailHint: "Only used to reply to you. It’s deleted afterward.",
      send: "Send report",
      invalid: "Enter the short link, choose a reason, and check the email address.",
      doneTitle: "Thank you for your report",
      done: "If this link exists, an administrator will review it.",
      closedTitle: "Reports are turned off",
      closed:
        "This service doesn’t accept reports through this form right now. Contact the administrator.",
    },
    optOut: {
      title: "Unsubscribe",
      text: "After you unsubscribe, you won’t get text messages from this sender anymore.",
      textOf: (sender) =>
        `After you unsubscribe, you won’t get text messages from ${sender} anymore.`,
      send: "Unsubscribe",
      doneTitle: "You’re unsubscribed",
      done: "You won’t get any more text messages from this sender.",
      missingTitle: "Page not found",
      missing: "Open the link in the message again, or copy all of it.",
    },
    stopReports: {
      title: "Unsubscribe from this report",
      textOf: (workspace) => `You won’t get this report from ${workspace} by email anymore.`,
      send: "Unsubscribe",
      doneTitle: "You’re unsubscribed",
      done: "You won’t get this report anymore.",
      missingTitle: "Page not found",
      missing: "This report no longer exists, or the link is incomplete. Copy all of it.",
    },
    confirmReports: {
      title: "Get reports by email?",
      textOf: (workspace) =>
        `You’ll get reports on the links of ${workspace}. Every email has a link to unsubscribe.`,
      send: "Confirm address",
      doneTitle: "Your address is confirmed",
      done: "You’ll get the next report.",
      missingTitle: "This link has expired",
      missing: "Ask the person who added your address to add it again.",
    },
    appeal: {
      title: {
        link: "This link is banned",
        host: "This destination is banned",
        workspace: "This workspace is banned",
        user: "Your account is banned",
      },
      because: "Reason",
      until: (date) => `The ban ends on ${date}.`,
      invite: "If you think this is a mistake, explain why. You can appeal once.",
      text: "Your appeal",
      send: "Send appeal",
      short: "Write between 10 and 2,000 characters.",
      states: {
        pending: "Your appeal was sent. You’ll get the decision by email.",
        declined: "Your appeal was declined.",
        ended: "This ban was lifted. Everything works as before.",
      },
      missingTitle: "Page not found",
      missing: "Open the link in the email again, or copy all of it.",
      signIn: "Open dashboard",
    },
  },
  zh: {
    reasons: {
      phishing: "钓鱼或欺诈",
      malware: "恶意软件",
      spam: "垃圾信息",
      illegal: "违法内容",
      copyright: "侵犯版权",
      other: "其他",
    },
    tooManyTitle: "操作过于频繁",
    tooMany: "请稍后再试。",
    report: {
      title: "举报链接",
      text: "系统管理员会核实该链接，链接所有者不会知道举报人是谁。",
      link: "短链接",
      reason: "原因",
      details: "详细说明（选填）",
      email: "邮箱（选填）",
      emailHint: "仅用于答复，之后会删除。",
      send: "提交举报",
      invalid: "请填写短链接并选择原因，并检查邮箱是否正确。",
      doneTitle: "感谢你的举报",
      done: "如果该链接存在，系统管理员会进行核实。",
      closedTitle: "举报功能已关闭",
      closed: "本服务目前不通过表单受理举报，请联系系统管理员。",
    },
    optOut: {
      title: "退订短信",
      text: "退订后，你将不再收到该发送方的短信。",
      textOf: (sender) => `退订后，你将不再收到“${sender}”的短信。`,
      send: "退订",
      doneTitle: "已退订",
      done: "你将不再收到该发送方的短信。",
      missingTitle: "页面不存在",
      missing: "请重新打开短信中的链接，或检查链接是否复制完整。",
    },
    stopReports: {
      title: "退订此报告",
      textOf: (workspace) => `退订后，你将不再收到“${workspace}”的此份邮件报告。`,
      send: "退订",
      doneTitle: "已退订",
      done: "你将不再收到此报告。",
      missingTitle: "页面不存在",
      missing: "此报告已不存在，或链接不完整。请检查链接是否复制完整。",
    },
    confirmReports: {
      title: "接收邮件报告？",
      textOf: (workspace) => `你将收到“${workspace}”的链接报告，每封邮件都有退订链接。`,
      send: "确认邮箱",
      doneTitle: "邮箱已确认",
      done: "你将收到下一份报告。",
      missingTitle: "链接已失效",
      missing: "请让添加你邮箱的人重新添加。",
    },
    appeal: {
      title: {
        link: "该链接已被封禁",
        host: "该目标网站已被封禁",
        workspace: "该工作区已被封禁",
        user: "你的账户已被封禁",
      },
      because: "原因",
      until: (date) => `封禁将于 ${date} 结束。`,
      invite: "如果你认为这是误判，请说明理由。每人只能申诉一次。",
      text: "申诉内容",
      send: "提交申诉",
      short: "请填写 10 到 2,000 个字符。",
      states: {
        pending: "申诉已提交，处理结果会通过邮件通知你。",
        declined: "你的申诉未通过。",
        ended: "该封禁已解除，一切恢复正常。",
      },
      missingTitle: "页面不存在",
      missing: "请重新打开邮件中的链接，或检查链接是否复制完整。",
      signIn: "打开控制台",
    },
  },
};
