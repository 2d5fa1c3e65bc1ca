export interface TrafficEmailValues {
  clicks?: number | undefined;
  /** In the same hours of the weeks before. */
  usual?: number | undefined;
  hours?: number | undefined;
}

type Values = TrafficEmailValues & { workspace?: string };

function format(count = 0): string {
  return new Intl.NumberFormat("en").format(count);
}

const why =
  "You get this email because you are an owner or admin of this workspace. You can change this alert under Analytics → Reports and alerts.";
const whyInChinese =
  "你是此工作区的所有者或管理员，因此收到此邮件。可在“数据分析 → 报告与告警”中更改此告警。";

export const trafficEmails = {
  clicksRising: ({ workspace, clicks, usual, hours }: Values) => ({
    subject: `Unusually many clicks in ${workspace}`,
    text: `The workspace ${workspace} had ${format(clicks)} clicks in the last ${hours} hours. In the same hours of the four weeks before, it usually had ${format(usual)}.`,
    button: "View analytics",
    otherwise: why,
  }),
  clicksFalling: ({ workspace, clicks, usual, hours }: Values) => ({
    subject: `Unusually few clicks in ${workspace}`,
    text: `The workspace ${workspace} had ${format(clicks)} clicks in the last ${hours} hours. In the same hours of the four weeks before, it usually had ${format(usual)}. Open a link to check that your QR codes, ads and domains still work.`,
    button: "View analytics",
    otherwise: why,
  }),
};

export const trafficEmailsInChinese: typeof trafficEmails = {
  clicksRising: ({ workspace, clicks, usual, hours }) => ({
    subject: `${workspace} 的点击异常增加`,
    text: `最近 ${hours} 小时，工作区 ${workspace} 有 ${format(clicks)} 次点击，而此前四周的同一时段通常为 ${format(usual)} 次。`,
    button: "查看数据",
    otherwise: whyInChinese,
  }),
  clicksFalling: ({ workspace, clicks, usual, hours }) => ({
    subject: `${workspace} 的点击异常减少`,
    text: `最近 ${hours} 小时，工作区 ${workspace} 有 ${format(clicks)} 次点击，而此前四周的同一时段通常为 ${format(usual)} 次。请打开链接，检查二维码、广告和域名是否正常。`,
    button: "查看数据",
    otherwise: whyInChinese,
  }),
};
