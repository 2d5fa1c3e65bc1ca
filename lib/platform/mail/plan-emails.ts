import type { PlanName } from "#lib/platform/config/schema";

export interface PlanEmailValues {
  plan?: PlanName | undefined;
  days?: number | undefined;
  percent?: number | undefined;
  quota?: keyof typeof quotas | undefined;
  used?: number | undefined;
  limit?: number | undefined;
}

type Values = PlanEmailValues & { workspace?: string };

const plans: Record<PlanName, string> = {
  free: "Free",
  trial: "Trial",
  personal: "Personal",
  enterprise: "Enterprise",
};
const plansInChinese: Record<PlanName, string> = {
  free: "免费版",
  trial: "试用版",
  personal: "个人版",
  enterprise: "企业版",
};
const quotas = {
  links: "new links per month",
  domains: "domains",
  tags: "tags",
  folders: "folders",
  members: "members",
  apiKeys: "API keys",
};
const quotasInChinese: Record<keyof typeof quotas, string> = {
  links: "每月新建链接",
  domains: "域名",
  tags: "标签",
  folders: "文件夹",
  members: "成员",
  apiKeys: "API 密钥",
};

const owner = "You get this email because you are an owner of this workspace.";
const ownerInChinese = "你是此工作区的所有者，因此收到此邮件。";

const planOf = (plan: PlanName | undefined) => plans[plan ?? "free"];
const planInChinese = (plan: PlanName | undefined) => plansInChinese[plan ?? "free"];

export const planEmails = {
  planEnding: ({ workspace, plan, days }: Values) => ({
    subject: `The ${planOf(plan)} plan of ${workspace} ends in ${days === 1 ? "1 day" : `${days} days`}`,
    text: `The ${planOf(plan)} plan of the workspace ${workspace} ends in ${days === 1 ? "1 day" : `${days} days`}. After that, the workspace is on the Free plan. Existing links keep working with everything they use, but new links have the limits of the Free plan.`,
    button: "View plan",
    otherwise: owner,
  }),
  planEnded: ({ workspace, plan }: Values) => ({
    subject: `${workspace} is now on the Free plan`,
    text: `The ${planOf(plan)} plan of the workspace ${workspace} expired, and the workspace is now on the Free plan. Existing links keep working with everything they use. To use all features again, choose a plan.`,
    button: "View plan",
    otherwise: owner,
  }),
  quotaNear: ({ workspace, percent, quota, used, limit }: Values) => ({
    subject: `${workspace} has used ${percent}% of a limit`,
    text: `The workspace ${workspace} uses ${used} of ${limit} ${quota ? quotas[quota] : ""} in its plan. When the limit is reached, no more can be created.`,
    button: "View usage",
    otherwise: owner,
  }),
};

export const planEmailsInChinese: typeof planEmails = {
  planEnding: ({ workspace, plan, days }) => ({
    subject: `${workspace} 的${planInChinese(plan)}将在 ${days} 天后到期`,
    text: `工作区 ${workspace} 的${planInChinese(plan)}将在 ${days} 天后到期，之后转为免费版。已有链接及其设置继续有效，新建链接受免费版限制。`,
    button: "查看套餐",
    otherwise: ownerInChinese,
  }),
  planEnded: ({ workspace, plan }) => ({
    subject: `${workspace} 已转为免费版`,
    text: `工作区 ${workspace} 的${planInChinese(plan)}已到期，现为免费版。已有链接及其设置继续有效。如需继续使用全部功能，请选择套餐。`,
    button: "查看套餐",
    otherwise: ownerInChinese,
  }),
  quotaNear: ({ workspace, percent, quota, used, limit }) => ({
    subject: `${workspace} 的用量已达上限的 ${percent}%`,
    text: `工作区 ${workspace} 的“${quota ? quotasInChinese[quota] : ""}”已使用 ${used} / ${limit}。达到上限后将无法继续新建。`,
    button: "查看用量",
    otherwise: ownerInChinese,
  }),
};
