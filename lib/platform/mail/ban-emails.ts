export interface BanEmailValues {
  banned?: "link" | "host" | "workspace" | "user";
  name?: string;
  note?: string;
  links?: number;
}

function bannedObject({ banned, name }: BanEmailValues): string {
  const kinds = { host: "the destination", link: "your link", workspace: "your workspace" };
  return banned === "user" || !banned ? "your account" : `${kinds[banned]} ${name}`;
}

function bannedSubject(values: BanEmailValues): string {
  const text = bannedObject(values);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function bannedEffect({ banned, links = 0 }: BanEmailValues): string {
  if (banned === "user") return "You can’t sign in.";
  if (banned === "workspace") {
    return "Its links don’t redirect, and the workspace can only be viewed and exported.";
  }
  if (banned === "link") return "Visitors see that it was disabled.";
  return `${links === 1 ? "1 link" : `${links} links`} of your workspace redirect to it. Visitors see that they were disabled.`;
}

function bannedInChinese({ banned, name }: BanEmailValues): string {
  const kinds = { host: "目标网站", link: "你的链接", workspace: "你的工作区" };
  return banned === "user" || !banned ? "你的账户" : `${kinds[banned]} ${name} `;
}

function effectInChinese({ banned, links }: BanEmailValues): string {
  if (banned === "user") return "你无法登录。";
  if (banned === "workspace") return "工作区内的链接不再跳转，你只能查看和导出数据。";
  if (banned === "link") return "访客会看到该链接已被停用。";
  return `你的工作区有 ${links} 条链接跳转到该网站，访客会看到这些链接已被停用。`;
}

export const banEmails = {
  banned: (values: BanEmailValues) => ({
    subject: `${bannedSubject(values)} was banned`,
    text: `${bannedSubject(values)} was banned by an administrator. Reason: ${values.note}. ${bannedEffect(values)} If you think this is a mistake, open the page below to appeal. You can appeal once.`,
    button: "View ban",
    otherwise: "You can also contact your administrator.",
  }),
  banLifted: (values: BanEmailValues) => ({
    subject: `The ban on ${bannedObject(values)} was lifted`,
    text: `${bannedSubject(values)} is no longer banned. Everything works as before.`,
    otherwise: "You get this email because you were notified about the ban.",
  }),
  appealDeclined: (values: BanEmailValues) => ({
    subject: "Your appeal was declined",
    text: `An administrator declined your appeal. ${bannedSubject(values)} stays banned. Reason for the ban: ${values.note}.`,
    otherwise: "You get this email because you appealed.",
  }),
  reportDismissed: ({ name }: BanEmailValues) => ({
    subject: "We reviewed your report",
    text: `Thank you for reporting ${name}. We reviewed the link and found that it doesn’t violate the rules of this service. It stays active.`,
    otherwise: "You get this email because you asked for a reply. Your email address was deleted.",
  }),
  reportActed: ({ name }: BanEmailValues) => ({
    subject: "We acted on your report",
    text: `Thank you for reporting ${name}. The link violated the rules of this service and was disabled.`,
    otherwise: "You get this email because you asked for a reply. Your email address was deleted.",
  }),
};

export const banEmailsInChinese = {
  banned: (values: BanEmailValues) => ({
    subject: `${bannedInChinese(values).trim()}已被封禁`,
    text: `${bannedInChinese(values)}已被系统管理员封禁。原因：${values.note}。${effectInChinese(values)}如果你认为这是误判，请打开下方页面申诉，每人只能申诉一次。`,
    button: "查看封禁",
    otherwise: "你也可以联系系统管理员。",
  }),
  banLifted: (values: BanEmailValues) => ({
    subject: `${bannedInChinese(values).trim()}已解除封禁`,
    text: `${bannedInChinese(values)}已解除封禁，一切恢复正常。`,
    otherwise: "你曾收到封禁通知，因此收到此邮件。",
  }),
  appealDeclined: (values: BanEmailValues) => ({
    subject: "你的申诉未通过",
    text: `系统管理员驳回了你的申诉，${bannedInChinese(values)}仍处于封禁状态。封禁原因：${values.note}。`,
    otherwise: "你提交过申诉，因此收到此邮件。",
  }),
  reportDismissed: ({ name }: BanEmailValues) => ({
    subject: "你的举报已处理",
    text: `感谢你举报 ${name}。经核实，该链接未违反本服务的使用规则，仍可正常访问。`,
    otherwise: "你在举报时要求答复，因此收到此邮件。你的邮箱已删除。",
  }),
  reportActed: ({ name }: BanEmailValues) => ({
    subject: "你的举报已处理",
    text: `感谢你举报 ${name}。该链接违反了本服务的使用规则，已被停用。`,
    otherwise: "你在举报时要求答复，因此收到此邮件。你的邮箱已删除。",
  }),
};
