import { type AppName, appLabel } from "#lib/platform/request-info/schema";

export interface DomainEmailValues {
  host?: string | undefined;
  app?: AppName | undefined;
  source?: "visits" | "checker" | undefined;
  since?: string | undefined;
  visits?: number | undefined;
  inApp?: number | undefined;
  share?: number | undefined;
  visitsBefore?: number | undefined;
  inAppBefore?: number | undefined;
  shareBefore?: number | undefined;
  oneIn?: number | undefined;
  /** HTTP status of a domain that does not answer; null: no response. */
  status?: number | null | undefined;
}

type Values = DomainEmailValues & { workspace?: string; name?: string };

const appeals: Readonly<Partial<Record<AppName, string>>> = {
  wechat: "weixin110.qq.com",
  qq: "urlsec.qq.com",
};

function format(count = 0): string {
  return new Intl.NumberFormat("en", { maximumFractionDigits: 0 }).format(count);
}

function percent(share = 0): string {
  return new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 }).format(share);
}

const manager = "You get this email because you are an owner or admin of this workspace.";
const managerInChinese = "你是此工作区的所有者或管理员，因此收到此邮件。";

export const domainEmails = {
  domainSilent: ({ workspace, host, status }: Values) => ({
    subject: `${host} doesn’t answer`,
    text: `Two checks in a row found that ${host}, a domain of the workspace ${workspace}, ${status ? `responds with error ${status}` : "doesn’t respond"}. Meanwhile, visitors can’t open links of this domain. Check its DNS records, its certificate, and any proxy in front of it.`,
    button: "View domain",
    otherwise: manager,
  }),
  destinationBroken: ({ workspace, host, name }: Values) => ({
    subject: name
      ? `The destination of the campaign ${name} no longer works`
      : `A destination on ${host} no longer works`,
    text: name
      ? `Two checks an hour apart found that a page on ${host}, the destination of the campaign ${name} in the workspace ${workspace}, doesn’t work. On the page of the campaign, you can check it again. You get at most one email a day about broken destinations.`
      : `Two checks an hour apart found that a page on ${host}, which links of the workspace ${workspace} lead to, doesn’t work. The list shows all links with broken destinations. There you can check a destination again, or replace its host in many links at once. You get at most one email a day about broken destinations.`,
    button: name ? "View campaign" : "View broken links",
    otherwise: manager,
  }),
  domainBlocked: ({ workspace, host, app = "wechat", ...it }: Values) => {
    const name = appLabel(app, "en");
    const appeal = appeals[app] ?? `the operator of ${name}`;
    return {
      subject: `${name} seems to block ${host}`,
      text: `${name} seems to block ${host}, a domain of the workspace ${workspace}. Open a link of the domain in ${name} to see what visitors see. If it’s blocked, read the reason there, remove what caused it, and appeal at the address below.`,
      lines: [
        ...(it.source === "checker"
          ? ["Source: the checker service of this instance"]
          : [
              `Visits in ${name} since ${it.since}: ${format(it.inApp)} of ${format(it.visits)} (${percent(it.share)})`,
              `Before, on a usual day: ${format(it.inAppBefore)} of ${format(it.visitsBefore)} (${percent(it.shareBefore)})`,
              `Chance of so few visits without a block: less than 1 in ${format(it.oneIn)}`,
            ]),
        `Appeal: ${appeal}`,
        "Fuxi never switches domains by itself: evading a block gets accounts banned, and SMS templates are approved for one domain. Under Settings, you can choose another default domain for new links.",
      ],
      button: "View domain",
      otherwise: manager,
    };
  },
};

export const domainEmailsInChinese: typeof domainEmails = {
  domainSilent: ({ workspace, host, status }) => ({
    subject: `${host} 没有响应`,
    text: `工作区 ${workspace} 的域名 ${host} 连续两次检查${status ? `返回错误 ${status}` : "没有响应"}。在此期间，访客无法打开该域名的链接。请检查 DNS 记录、证书和域名前面的代理。`,
    button: "查看域名",
    otherwise: managerInChinese,
  }),
  destinationBroken: ({ workspace, host, name }) => ({
    subject: name ? `营销活动 ${name} 的目标网址已失效` : `${host} 上的一个目标网址已失效`,
    text: name
      ? `相隔一小时的两次检查发现，工作区 ${workspace} 的营销活动 ${name} 所指向的 ${host} 上的页面无法访问。你可以在该营销活动的页面重新检查。关于失效目标网址的邮件每天最多发送一封。`
      : `相隔一小时的两次检查发现，工作区 ${workspace} 的链接所指向的 ${host} 上有一个页面无法访问。列表会显示所有目标网址已失效的链接，你可以在那里重新检查，或一次替换多条链接的目标主机。关于失效目标网址的邮件每天最多发送一封。`,
    button: name ? "查看营销活动" : "查看失效链接",
    otherwise: managerInChinese,
  }),
  domainBlocked: ({ workspace, host, app = "wechat", ...it }) => {
    const name = appLabel(app, "zh");
    const appeal = appeals[app] ?? `${name}的运营方`;
    return {
      subject: `${host} 可能已被${name}拦截`,
      text: `工作区 ${workspace} 的域名 ${host} 可能已被${name}拦截。请在${name}中打开该域名的链接，查看访客看到的内容。如果确实被拦截，请查看页面给出的原因，处理违规内容后到下方地址申诉。`,
      lines: [
        ...(it.source === "checker"
          ? ["来源：此实例的检测服务"]
          : [
              `自 ${it.since} 起来自${name}的访问：${format(it.visits)} 次中有 ${format(it.inApp)} 次（${percent(it.share)}）`,
              `此前通常每天：${format(it.visitsBefore)} 次中有 ${format(it.inAppBefore)} 次（${percent(it.shareBefore)}）`,
              `未被拦截而偶然出现这种情况的可能性：低于 ${format(it.oneIn)} 分之一`,
            ]),
        `申诉：${appeal}`,
        "Fuxi 不会自动更换域名：规避拦截会导致账号被封禁，而且短信模板是按域名审核的。如有需要，可在“设置”中为新链接选择其他默认域名。",
      ],
      button: "查看域名",
      otherwise: managerInChinese,
    };
  },
};
