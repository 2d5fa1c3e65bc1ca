/** The words of letters, in English and Chinese: plain text and the same as HTML, with one address to go to. */

export interface LetterValues {
  /** Where it leads. */
  address?: string;
  minutes?: number;
  /** Names that people chose. */
  workspace?: string;
  inviter?: string;
  email?: string;
}

interface Words {
  subject: string;
  text: string;
  button?: string;
  /** What to do when one did not ask for it. */
  otherwise: string;
}

type Write = (values: LetterValues) => Words;

const ignore = "If you did not ask for this, do nothing: without this letter nobody can go on.";
const act = "If this was not you, set a new password at once, and end all sessions under Security.";

const english = {
  reset: ({ minutes }) => ({
    subject: "Set a new password for Fuxi",
    text: `Choose a new password within ${minutes} minutes. All browsers that are signed in will be signed out.`,
    button: "Choose a password",
    otherwise: ignore,
  }),
  signin: ({ minutes }) => ({
    subject: "Sign in to Fuxi",
    text: `Sign in within ${minutes} minutes. The address works once.`,
    button: "Sign in",
    otherwise: ignore,
  }),
  email: ({ email, minutes }) => ({
    subject: "Confirm your address for Fuxi",
    text: `Confirm within ${(minutes ?? 0) / 60} hours that ${email} is your address, in the browser in which you are signed in.`,
    button: "Confirm this address",
    otherwise: ignore,
  }),
  held: () => ({
    subject: "You already have a Fuxi account",
    text: "Somebody, perhaps you, wanted to make a Fuxi account with this address. There is one already: sign in to it. If you forgot the password, choose a new one there.",
    button: "Sign in",
    otherwise: "If this was not you, do nothing: nobody got into your account.",
  }),
  emailChanged: ({ email }) => ({
    subject: "The address of your Fuxi account was changed",
    text: `Your account now belongs to ${email}. Letters no longer come here.`,
    otherwise: "If this was not you, write to whoever runs this installation.",
  }),
  passwordChanged: () => ({
    subject: "Your Fuxi password was changed",
    text: "The password of your account was changed just now.",
    otherwise: act,
  }),
  factorOn: () => ({
    subject: "Two-factor sign-in is on",
    text: "Signing in now also needs a number of your authenticator. Keep the recovery codes safe.",
    otherwise: act,
  }),
  factorOff: () => ({
    subject: "Two-factor sign-in is off",
    text: "Signing in no longer needs a number of your authenticator.",
    otherwise: act,
  }),
  invitation: ({ workspace, inviter }) => ({
    subject: `${inviter} invites you to ${workspace} on Fuxi`,
    text: `${inviter} invites you to work in ${workspace}.`,
    button: "See the invitation",
    otherwise: "If you do not know them, do nothing.",
  }),
} satisfies Record<string, Write>;

export type LetterName = keyof typeof english;

const ignoreInChinese = "如果这不是你的操作，无需理会：没有这封邮件，谁也无法继续。";
const actInChinese = "如果这不是你的操作，请立即设置新密码，并在“安全”页面结束所有会话。";

const chinese: Record<LetterName, Write> = {
  reset: ({ minutes }) => ({
    subject: "为 Fuxi 设置新密码",
    text: `请在 ${minutes} 分钟内设置新密码。所有已登录的浏览器都会退出。`,
    button: "设置密码",
    otherwise: ignoreInChinese,
  }),
  signin: ({ minutes }) => ({
    subject: "登录 Fuxi",
    text: `请在 ${minutes} 分钟内登录。此地址只能使用一次。`,
    button: "登录",
    otherwise: ignoreInChinese,
  }),
  email: ({ email, minutes }) => ({
    subject: "确认你的 Fuxi 邮箱",
    text: `请在 ${(minutes ?? 0) / 60} 小时内，用已登录的浏览器确认 ${email} 是你的邮箱。`,
    button: "确认邮箱",
    otherwise: ignoreInChinese,
  }),
  held: () => ({
    subject: "你已有 Fuxi 账户",
    text: "有人（也许是你）想用这个邮箱注册 Fuxi 账户。该邮箱已有账户：请直接登录。如果忘记了密码，可以在登录页设置新密码。",
    button: "登录",
    otherwise: "如果这不是你的操作，无需理会：没有人进入你的账户。",
  }),
  emailChanged: ({ email }) => ({
    subject: "你的 Fuxi 账户邮箱已更改",
    text: `你的账户现在使用 ${email}。邮件不再发送到这里。`,
    otherwise: "如果这不是你的操作，请联系此系统的管理员。",
  }),
  passwordChanged: () => ({
    subject: "你的 Fuxi 密码已更改",
    text: "你账户的密码刚刚被更改。",
    otherwise: actInChinese,
  }),
  factorOn: () => ({
    subject: "两步验证已开启",
    text: "现在登录还需要验证器中的数字。请妥善保存恢复码。",
    otherwise: actInChinese,
  }),
  factorOff: () => ({
    subject: "两步验证已关闭",
    text: "登录不再需要验证器中的数字。",
    otherwise: actInChinese,
  }),
  invitation: ({ workspace, inviter }) => ({
    subject: `${inviter} 邀请你加入 Fuxi 上的 ${workspace}`,
    text: `${inviter} 邀请你在 ${workspace} 中协作。`,
    button: "查看邀请",
    otherwise: "如果你不认识对方，无需理会。",
  }),
};

const nameCharsMax = 100;

/** What people chose stays in its line and cannot pretend to be an address of ours. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[<>"]|https?:|www\./gi, "")
    .slice(0, nameCharsMax)
    .trim();
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}

export interface Written {
  subject: string;
  text: string;
  html: string;
}

export function writeLetter(locale: string, name: LetterName, values: LetterValues): Written {
  const write: Write = (locale === "zh" ? chinese : english)[name];
  const { workspace = "", inviter = "", email = "", ...rest } = values;
  const words = write({
    ...rest,
    workspace: plain(workspace),
    inviter: plain(inviter),
    email: plain(email),
  });
  const { subject, text, button, otherwise } = words;
  const address = values.address ?? "";
  const link = escapeHtml(address);
  const way = button === undefined ? "" : `<p><a href="${link}">${button}</a></p><p>${link}</p>`;
  return {
    subject,
    text: [text, ...(button === undefined ? [] : [address]), otherwise].join("\n\n"),
    html: `<p>${escapeHtml(text)}</p>${way}<p>${escapeHtml(otherwise)}</p>`,
  };
}
