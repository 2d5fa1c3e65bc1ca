/** The texts of emails about the second factor of an account, in English and Chinese. */

interface FactorEmailValues {
  /** The link that undoes the change; none where an administrator made it. */
  address?: string | undefined;
  days?: number | undefined;
}

const act =
  "If this wasn’t you, reset your password now and sign out of other browsers under Security.";

function undo({ address, days }: FactorEmailValues) {
  if (address === undefined) return { otherwise: act };
  return {
    button: "Undo this change",
    otherwise: `If this was you, you don’t need to do anything. If it wasn’t, open the link within ${days} days: it restores what was set up before and signs out all browsers. Then reset your password.`,
  };
}

export const factorEmails = {
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
  wrongCodes: () => ({
    subject: "Someone may know your Fuxi password",
    text: "Your password was entered correctly several times, followed by wrong verification codes. Nobody signed in that way.",
    otherwise: "If this wasn’t you, reset your password now: someone else knows it.",
  }),
};

const actInChinese = "如果这不是你的操作，请立即重置密码，并在“安全”页面退出其他浏览器。";

function undoInChinese({ address, days }: FactorEmailValues) {
  if (address === undefined) return { otherwise: actInChinese };
  return {
    button: "撤销此更改",
    otherwise: `如果这是你的操作，则无需处理。如果不是，请在 ${days} 天内打开链接：它会恢复之前的设置，并让所有浏览器退出登录。然后请重置密码。`,
  };
}

export const factorEmailsInChinese = {
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
  wrongCodes: () => ({
    subject: "可能有人知道你的 Fuxi 密码",
    text: "有人多次输入了正确的密码，但随后的验证码不正确，因此未能登录。",
    otherwise: "如果这不是你的操作，说明他人知道你的密码，请立即重置。",
  }),
};
