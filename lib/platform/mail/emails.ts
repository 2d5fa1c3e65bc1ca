/** The texts of emails in English and Chinese, as plain text and HTML, with one link. */
import { type BanEmailValues, banEmails, banEmailsInChinese } from "./ban-emails.ts";
import {
  type CampaignEmailValues,
  campaignEmails,
  campaignEmailsInChinese,
} from "./campaign-emails.ts";
import { type DomainEmailValues, domainEmails, domainEmailsInChinese } from "./domain-emails.ts";
import { type PlanEmailValues, planEmails, planEmailsInChinese } from "./plan-emails.ts";
import {
  type TrafficEmailValues,
  trafficEmails,
  trafficEmailsInChinese,
} from "./traffic-emails.ts";

const webhookEmails = {
  webhookDisabled: ({ workspace, name }: EmailValues) => ({
    subject: `A webhook of ${workspace} was disabled`,
    text: `The webhook “${name}” of the workspace ${workspace} was disabled: its server hasn’t accepted any event for 3 days, or reports that the URL no longer exists. New events aren’t kept until you activate it again.`,
    button: "Open webhook",
    otherwise: "You get this email because you created this webhook.",
  }),
};

const webhookEmailsInChinese = {
  webhookDisabled: ({ workspace, name }: EmailValues) => ({
    subject: `${workspace} 的 Webhook 已停用`,
    text: `工作区 ${workspace} 的 Webhook“${name}”已停用：对方服务器连续 3 天未接收任何事件，或表示地址已失效。重新启用之前，不会为它保留新事件。`,
    button: "打开 Webhook",
    otherwise: "你创建了此 Webhook，因此收到此邮件。",
  }),
};

interface FactorEmailValues {
  /** The link that undoes the change. Administrators' changes have none. */
  address?: string | undefined;
  days?: number | undefined;
}

function undo({ address, days }: FactorEmailValues) {
  if (address === undefined) return { otherwise: act };
  return {
    button: "Undo this change",
    otherwise: `If this was you, you don’t need to do anything. If it wasn’t, open the link within ${days} days: it restores what was set up before and signs out all browsers. Then reset your password.`,
  };
}

const factorEmails = {
  factorOn: (values: FactorEmailValues) => ({
    subject: "Two-factor authentication is on",
    text: "Signing in now also requires a verification code from your authenticator app. Keep your recovery codes in a safe place. Other browsers were signed out.",
    ...undo(values),
  }),
  factorOff: (values: FactorEmailValues) => ({
    subject: "Two-factor authentication is off",
    text: "Signing in no longer requires a verification code. Other browsers were signed out.",
    ...undo(values),
  }),
  recoveryCodes: (values: FactorEmailValues) => ({
    subject: "You have new recovery codes",
    text: "New recovery codes were generated for your account, and the earlier ones no longer work. Other browsers were signed out.",
    ...undo(values),
  }),
  passkeyAdded: (values: FactorEmailValues) => ({
    subject: "A passkey was added to your account",
    text: "Signing in now also works with this passkey, without a password or verification code.",
    ...undo(values),
  }),
  passkeyRemoved: () => ({
    subject: "A passkey was removed from your account",
    text: "Signing in no longer works with this passkey. Browsers that are signed in stay signed in.",
    otherwise: act,
  }),
  passkeyCopied: () => ({
    subject: "A passkey of yours may have been copied",
    text: "A passkey was refused because its counter went backwards, as happens when there are two copies of it. Nobody signed in that way.",
    otherwise: "Remove this passkey in your security settings and add a new one.",
  }),
  wrongCodes: () => ({
    subject: "Someone may know your Fuxi password",
    text: "Your password was entered correctly several times, followed by wrong verification codes. Nobody signed in that way.",
    otherwise: "If this wasn’t you, reset your password now: someone else knows it.",
  }),
};

function undoInChinese({ address, days }: FactorEmailValues) {
  if (address === undefined) return { otherwise: actInChinese };
  return {
    button: "撤销此更改",
    otherwise: `如果这是你的操作，则无需处理。如果不是，请在 ${days} 天内打开链接：它会恢复之前的设置，并让所有浏览器退出登录。然后请重置密码。`,
  };
}

const factorEmailsInChinese = {
  factorOn: (values: FactorEmailValues) => ({
    subject: "两步验证已开启",
    text: "现在登录时还需输入身份验证器应用中的验证码。请妥善保管恢复码。其他浏览器均已退出登录。",
    ...undoInChinese(values),
  }),
  factorOff: (values: FactorEmailValues) => ({
    subject: "两步验证已关闭",
    text: "登录时不再需要验证码。其他浏览器均已退出登录。",
    ...undoInChinese(values),
  }),
  recoveryCodes: (values: FactorEmailValues) => ({
    subject: "你的恢复码已更换",
    text: "你的账户已生成新的恢复码，之前的恢复码不再有效。其他浏览器均已退出登录。",
    ...undoInChinese(values),
  }),
  passkeyAdded: (values: FactorEmailValues) => ({
    subject: "你的账户已添加通行密钥",
    text: "现在也可以使用此通行密钥登录，无需密码或验证码。",
    ...undoInChinese(values),
  }),
  passkeyRemoved: () => ({
    subject: "你的账户已移除一个通行密钥",
    text: "此通行密钥不再能用于登录。已登录的浏览器保持登录状态。",
    otherwise: actInChinese,
  }),
  passkeyCopied: () => ({
    subject: "你的通行密钥可能已被复制",
    text: "一个通行密钥被拒绝，因为它的计数器倒退了。存在两个副本时会出现这种情况。没有人以此方式登录。",
    otherwise: "请在安全设置中移除此通行密钥，然后重新添加。",
  }),
  wrongCodes: () => ({
    subject: "可能有人知道你的 Fuxi 密码",
    text: "有人多次输入了正确的密码，但随后的验证码不正确，因此未能登录。",
    otherwise: "如果这不是你的操作，说明他人知道你的密码，请立即重置。",
  }),
};

export interface EmailValues
  extends PlanEmailValues,
    BanEmailValues,
    CampaignEmailValues,
    DomainEmailValues,
    TrafficEmailValues {
  address?: string;
  minutes?: number;
  workspace?: string;
  inviter?: string;
  email?: string;
  links?: number;
  firstLinks?: readonly { shortLink: string; host: string }[];
  list?: "allow" | "block" | "warn";
  problem?: string;
}

interface EmailTexts {
  subject: string;
  text: string;
  lines?: string[];
  button?: string;
  otherwise: string;
}

type WriteTexts = (values: EmailValues) => EmailTexts;

const ignore = "If you didn’t request this, you can ignore this email.";
const act =
  "If this wasn’t you, reset your password now and sign out of other browsers under Security.";

function format(count: number): string {
  return new Intl.NumberFormat("en").format(count);
}

function linesOf(
  first: NonNullable<EmailValues["firstLinks"]>,
  all: number,
  others: (count: string) => string,
): string[] {
  const lines = first.map(({ shortLink, host }) =>
    // The short link opens this host anyway, so it does no harm if mail programs link the host.
    [shortLink, host]
      .filter((part) => part !== "")
      .map((part) => oneLine(part, lineCharsMax))
      .join(" → "),
  );
  const more = all - first.length;
  return lines.length > 0 && more > 0 ? [...lines, others(format(more))] : lines;
}

const english = {
  reset: ({ minutes }) => ({
    subject: "Reset your Fuxi password",
    text: `Use the link below to choose a new password. It expires in ${minutes} minutes. You’ll be signed out of all browsers.`,
    button: "Reset password",
    otherwise: ignore,
  }),
  signin: ({ minutes }) => ({
    subject: "Sign in to Fuxi",
    text: `Use the link below to sign in. It expires in ${minutes} minutes and works only once.`,
    button: "Sign in",
    otherwise: ignore,
  }),
  email: ({ email, minutes }) => ({
    subject: "Confirm your email address for Fuxi",
    text: `Confirm that ${email} is your email address. Open the link below in a browser where you’re signed in. It expires in ${(minutes ?? 0) / 60} hours.`,
    button: "Confirm email address",
    otherwise: ignore,
  }),
  held: () => ({
    subject: "You already have a Fuxi account",
    text: "Someone tried to create a Fuxi account with this email address, but you already have one. Sign in instead. If you forgot your password, you can reset it on the sign-in page.",
    button: "Sign in",
    otherwise:
      "If this wasn’t you, you can ignore this email. Nothing has changed in your account.",
  }),
  claimed: () => ({
    subject: "Your Fuxi account is now confirmed as yours",
    text: "You confirmed this email address for the first time. In case someone else created the account with your address, everything that let them use it has stopped working: the old password, signed-in browsers, connected accounts, two-factor authentication, API keys, share links and invitations. Workspaces and links were kept. API keys from before email was set up on this instance still work: open API keys in each workspace, and keep or revoke them. Also check the members of each workspace.",
    otherwise: act,
  }),
  connected: ({ workspace }) => ({
    subject: `Your Fuxi account is connected with single sign-on of ${workspace}`,
    text: `Your account was connected with the identity provider of the workspace ${workspace}. Signing in there now opens this workspace as you, and nothing else of your account.`,
    otherwise: act,
  }),
  emailChanged: ({ email }) => ({
    subject: "Your Fuxi email address was changed",
    text: `Your account now uses ${email}. This address no longer receives emails about your account.`,
    otherwise: "If this wasn’t you, contact your administrator.",
  }),
  passwordChanged: () => ({
    subject: "Your Fuxi password was changed",
    text: "Your password was just changed.",
    otherwise: act,
  }),
  invitation: ({ workspace, inviter }) => ({
    subject: `${inviter} invited you to ${workspace} on Fuxi`,
    text: `${inviter} invited you to join the workspace ${workspace} on Fuxi.`,
    button: "View invitation",
    otherwise: "If you don’t know this person, you can ignore this email.",
  }),
  reportAddress: ({ workspace, inviter }) => ({
    subject: `Confirm that you want reports from ${workspace}`,
    text: `${inviter} wants to send you regular reports on the links of the workspace ${workspace} on Fuxi. You get them only if you confirm your address within 7 days.`,
    button: "Confirm address",
    otherwise: "If you don’t want them, you can ignore this email.",
  }),
  retiring: ({ workspace, links = 0, firstLinks = [] }) => ({
    subject: `Links in ${workspace} retire in 30 days`,
    text: `${links === 1 ? "1 link" : `${format(links)} links`} in the workspace ${workspace} will retire in about 30 days because nobody visits them. Visitors of a retired link see that it has expired, and after 180 days it is deleted. Open the list to export these links or to keep them.`,
    lines: linesOf(firstLinks, links, (more) => `and ${more} more`),
    button: "View links",
    otherwise: "You get this email because you are an owner or admin of this workspace.",
  }),
  listFailing: ({ list, problem }) => ({
    subject: `The ${list} list of your Fuxi instance can’t be read`,
    text: `The source of the ${list} list can’t be read: ${problem} ${list !== "allow" ? "Its last entries still apply." : "While the file can’t be reached, its last entries still apply. While it is damaged, only entries added by hand are allowed."}`,
    button: "View lists",
    otherwise: "You get this email because you are an administrator of this instance.",
  }),
  ...factorEmails,
  ...webhookEmails,
  ...domainEmails,
  ...trafficEmails,
  ...planEmails,
  ...campaignEmails,
  ...banEmails,
} satisfies Record<string, WriteTexts>;

export type EmailName = keyof typeof english;

const ignoreInChinese = "如果这不是你的操作，请忽略此邮件。";
const actInChinese = "如果这不是你的操作，请立即重置密码，并在“安全”页面退出其他浏览器。";

const chinese: Record<EmailName, WriteTexts> = {
  reset: ({ minutes }) => ({
    subject: "重置你的 Fuxi 密码",
    text: `请点击下方链接设置新密码，链接 ${minutes} 分钟内有效。设置后，所有浏览器都会退出登录。`,
    button: "重置密码",
    otherwise: ignoreInChinese,
  }),
  signin: ({ minutes }) => ({
    subject: "登录 Fuxi",
    text: `请点击下方链接登录，链接 ${minutes} 分钟内有效，且只能使用一次。`,
    button: "登录",
    otherwise: ignoreInChinese,
  }),
  email: ({ email, minutes }) => ({
    subject: "确认你的 Fuxi 邮箱",
    text: `请确认 ${email} 是你的邮箱：在已登录的浏览器中打开下方链接，链接 ${(minutes ?? 0) / 60} 小时内有效。`,
    button: "确认邮箱",
    otherwise: ignoreInChinese,
  }),
  held: () => ({
    subject: "你已有 Fuxi 账户",
    text: "有人尝试用此邮箱注册 Fuxi 账户，但你已有账户，请直接登录。如果忘记密码，可以在登录页面重置。",
    button: "登录",
    otherwise: "如果这不是你的操作，请忽略此邮件。你的账户没有任何变化。",
  }),
  claimed: () => ({
    subject: "你的 Fuxi 账户已确认归你所有",
    text: "你首次确认了此邮箱。考虑到账户可能由他人用你的邮箱创建，他人可用的一切均已失效：旧密码、已登录的浏览器、关联账户、两步验证、API 密钥、分享链接和邀请。工作区和链接均已保留。在此实例配置邮件之前创建的 API 密钥仍然有效，请在每个工作区的“API 密钥”页面选择保留或吊销，并检查每个工作区的成员。",
    otherwise: actInChinese,
  }),
  connected: ({ workspace }) => ({
    subject: `你的 Fuxi 账户已与 ${workspace} 的单点登录关联`,
    text: `你的账户已与工作区 ${workspace} 的身份提供商关联。在该处登录会以你的身份打开此工作区，但无法访问你账户的其他内容。`,
    otherwise: actInChinese,
  }),
  emailChanged: ({ email }) => ({
    subject: "你的 Fuxi 邮箱已更改",
    text: `你的账户现在使用 ${email}，账户相关邮件不再发送到此邮箱。`,
    otherwise: "如果这不是你的操作，请联系系统管理员。",
  }),
  passwordChanged: () => ({
    subject: "你的 Fuxi 密码已更改",
    text: "你的密码刚刚被更改。",
    otherwise: actInChinese,
  }),
  invitation: ({ workspace, inviter }) => ({
    subject: `${inviter} 邀请你加入 Fuxi 上的 ${workspace}`,
    text: `${inviter} 邀请你加入 Fuxi 工作区 ${workspace}。`,
    button: "查看邀请",
    otherwise: "如果你不认识对方，请忽略此邮件。",
  }),
  reportAddress: ({ workspace, inviter }) => ({
    subject: `确认接收 ${workspace} 的报告`,
    text: `${inviter} 希望定期向你发送 Fuxi 工作区 ${workspace} 的链接报告。只有在 7 天内确认邮箱后，你才会收到报告。`,
    button: "确认邮箱",
    otherwise: "如果不需要，请忽略此邮件。",
  }),
  retiring: ({ workspace, links = 0, firstLinks = [] }) => ({
    subject: `${workspace} 中的链接将在 30 天后回收`,
    text: `工作区 ${workspace} 中有 ${format(links)} 条链接长期无人访问，将在约 30 天后回收。回收后，访客会看到链接已过期；180 天后链接会被删除。打开列表即可导出或保留这些链接。`,
    lines: linesOf(firstLinks, links, (more) => `以及另外 ${more} 条`),
    button: "查看链接",
    otherwise: "你是此工作区的所有者或管理员，因此收到此邮件。",
  }),
  listFailing: ({ list, problem }) => ({
    subject: `无法读取 Fuxi 实例的${listInChinese[list ?? "block"]}`,
    text: `${listInChinese[list ?? "block"]}的来源无法读取：${problem} ${list !== "allow" ? "上次读取的条目仍然有效。" : "无法访问来源时，上次读取的条目仍然有效；文件损坏时，只有手动添加的条目有效。"}`,
    button: "查看列表",
    otherwise: "你是此实例的系统管理员，因此收到此邮件。",
  }),
  ...factorEmailsInChinese,
  ...webhookEmailsInChinese,
  ...domainEmailsInChinese,
  ...trafficEmailsInChinese,
  ...planEmailsInChinese,
  ...campaignEmailsInChinese,
  ...banEmailsInChinese,
};

const listInChinese = { allow: "允许列表", block: "禁止列表", warn: "警告列表" };

const nameCharsMax = 100;
const noteCharsMax = 500;
const lineCharsMax = 300;

function oneLine(text: string, charsMax = nameCharsMax): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[<>"]/g, "")
    .slice(0, charsMax)
    .trim();
}

/** Contains nothing that mail programs turn into a link. Adds spaces, because removing characters could create one. */
export function unlinked(name: string): string {
  const spaced = oneLine(name.normalize("NFKC"))
    .replace(/[:/\\@]/g, " ")
    // defence: names-in-emails
    .replace(/[.\u3002\uff0e\uff61](?=\S)/g, ". ");
  return spaced.replace(/\s+/g, " ").slice(0, nameCharsMax).trim();
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

export function renderEmail(locale: string, name: EmailName, values: EmailValues): RenderedEmail {
  const write: WriteTexts = (locale === "zh" ? chinese : english)[name];
  const {
    workspace = "",
    inviter = "",
    email = "",
    name: object = "",
    note = "",
    ...rest
  } = values;
  const texts = write({
    ...rest,
    workspace: unlinked(workspace),
    inviter: unlinked(inviter),
    email: oneLine(email),
    // A short URL of this instance may be a link, unless the person who reports it wrote it.
    name: values.banned === "link" ? oneLine(object) : unlinked(object),
    note: oneLine(note, noteCharsMax).replace(/[.。]+$/, ""),
  });
  const { subject, text, lines = [], button, otherwise } = texts;
  const address = values.address ?? "";
  const link = escapeHtml(address);
  const way = button === undefined ? "" : `<p><a href="${link}">${button}</a></p><p>${link}</p>`;
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("");
  const list = items === "" ? "" : `<ul>${items}</ul>`;
  return {
    subject,
    text: [
      text,
      ...(items === "" ? [] : [lines.join("\n")]),
      ...(button === undefined ? [] : [address]),
      otherwise,
    ].join("\n\n"),
    html: `<p>${escapeHtml(text)}</p>${list}${way}<p>${escapeHtml(otherwise)}</p>`,
  };
}
