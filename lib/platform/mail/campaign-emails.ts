export interface CampaignEmailValues {
  reason?: string | undefined;
  sent?: number | undefined;
  refused?: number | undefined;
  unknown?: number | undefined;
  /** Country of the codes (ISO 3166-1), and how many were sent in this hour and in the busiest hour before. */
  country?: string | undefined;
  asked?: number | undefined;
  usual?: number | undefined;
}

type Values = CampaignEmailValues & { workspace?: string; name?: string };

function format(count = 0): string {
  return new Intl.NumberFormat("en").format(count);
}

function countryName(locale: string, country = ""): string {
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
  return country === "" ? "" : (names.of(country) ?? country);
}

const pauses: Readonly<Record<string, string>> = {
  gateway_deleted: "its gateway was deleted",
  variable_unknown: "its text doesn’t fit the gateway",
};
const pausesInChinese: Readonly<Record<string, string>> = {
  gateway_deleted: "网关已被删除",
  variable_unknown: "短信内容与网关不符",
};

const person = "You get this email because you created this campaign.";
const starter = "You get this email because you started this job.";
const personInChinese = "你创建了此营销活动，因此收到此邮件。";
const starterInChinese = "你启动了此任务，因此收到此邮件。";

export const campaignEmails = {
  campaignPaused: ({ workspace, name, reason = "" }: Values) => ({
    subject: `The campaign ${name} paused`,
    text: `The campaign ${name} in the workspace ${workspace} paused, because ${pauses[reason] ?? `the gateway responded ${reason}`}. No more messages are sent until you resume it.`,
    button: "View campaign",
    otherwise: person,
  }),
  campaignFinished: ({ workspace, name, sent, refused, unknown }: Values) => ({
    subject: `The campaign ${name} finished`,
    text: `The campaign ${name} in the workspace ${workspace} finished.`,
    lines: [
      `Accepted by the gateway: ${format(sent)}`,
      `Refused: ${format(refused)}`,
      `Possibly sent (no response): ${format(unknown)}`,
    ],
    button: "View campaign",
    otherwise: person,
  }),
  recipientsRefused: ({ workspace, name, refused }: Values) => ({
    subject: `Some rows of ${name} were refused`,
    text: `Recipients from ${name} were added to a campaign in the workspace ${workspace}. Refused rows: ${format(refused)}. Download them with their reasons, correct them, and upload them again.`,
    button: "View campaign",
    otherwise: starter,
  }),
  recipientsFailed: ({ workspace, name }: Values) => ({
    subject: `Adding recipients from ${name} failed`,
    text: `Adding recipients from ${name} to a campaign in the workspace ${workspace} failed before all rows were processed. Recipients that were added stay in the campaign.`,
    button: "View campaign",
    otherwise: starter,
  }),
  formFailing: ({ workspace, name, reason = "" }: Values) => ({
    subject: `The form ${name} can’t send codes`,
    text: `Visitors of the form ${name} in the workspace ${workspace} get no SMS codes, because ${pauses[reason] ?? `the gateway responded ${reason}`}. Until this is resolved, visitors who have to confirm a phone number can’t continue. Check the gateway, or turn the confirmation off.`,
    button: "View forms",
    otherwise:
      "You get this email, once a day at most, because you are an owner or admin of this workspace.",
  }),
  codesRising: ({ workspace, country, asked, usual }: Values) => ({
    subject: `Many SMS codes to ${countryName("en", country)}`,
    text: `Visitors of forms in the workspace ${workspace} requested ${format(asked)} SMS codes to ${countryName("en", country)} within an hour. In the week before, the busiest hour had ${format(usual)}. If you didn’t expect this, someone may be running up your SMS costs: stop codes in the settings, or remove the country there.`,
    button: "View settings",
    otherwise: "You get this email because you are an owner or admin of this workspace.",
  }),
};

export const campaignEmailsInChinese: typeof campaignEmails = {
  campaignPaused: ({ workspace, name, reason = "" }) => ({
    subject: `营销活动 ${name} 已暂停`,
    text: `工作区 ${workspace} 的营销活动 ${name} 已暂停：${pausesInChinese[reason] ?? `网关返回 ${reason}`}。在你继续发送之前，不会再发送短信。`,
    button: "查看营销活动",
    otherwise: personInChinese,
  }),
  campaignFinished: ({ workspace, name, sent, refused, unknown }) => ({
    subject: `营销活动 ${name} 已完成`,
    text: `工作区 ${workspace} 的营销活动 ${name} 已完成。`,
    lines: [
      `网关已接受：${format(sent)}`,
      `被拒绝：${format(refused)}`,
      `可能已发送（网关无响应）：${format(unknown)}`,
    ],
    button: "查看营销活动",
    otherwise: personInChinese,
  }),
  recipientsRefused: ({ workspace, name, refused }) => ({
    subject: `${name} 中有行被拒绝`,
    text: `已将 ${name} 中的收件人添加到工作区 ${workspace} 的营销活动，其中 ${format(refused)} 行被拒绝。请下载这些行及原因，更正后重新上传。`,
    button: "查看营销活动",
    otherwise: starterInChinese,
  }),
  recipientsFailed: ({ workspace, name }) => ({
    subject: `添加 ${name} 中的收件人失败`,
    text: `将 ${name} 中的收件人添加到工作区 ${workspace} 的营销活动时失败，部分行未处理。已添加的收件人保留在营销活动中。`,
    button: "查看营销活动",
    otherwise: starterInChinese,
  }),
  formFailing: ({ workspace, name, reason = "" }) => ({
    subject: `表单 ${name} 无法发送验证码`,
    text: `工作区 ${workspace} 的表单 ${name} 无法向访客发送短信验证码：${pausesInChinese[reason] ?? `网关返回 ${reason}`}。在此期间，需要验证手机号的访客无法继续。请检查网关，或关闭手机号验证。`,
    button: "查看表单",
    otherwise: "你是此工作区的所有者或管理员，因此收到此邮件（每天最多一封）。",
  }),
  codesRising: ({ workspace, country, asked, usual }) => ({
    subject: `发往${countryName("zh", country)}的短信验证码激增`,
    text: `一小时内，工作区 ${workspace} 的表单访客请求了 ${format(asked)} 条发往${countryName("zh", country)}的短信验证码，而此前一周最多的一小时为 ${format(usual)} 条。如果这不在预期之内，可能有人在恶意消耗你的短信费用：请在设置中停止发送验证码，或移除该国家或地区。`,
    button: "查看设置",
    otherwise: "你是此工作区的所有者或管理员，因此收到此邮件。",
  }),
};
