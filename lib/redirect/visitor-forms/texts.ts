import type { Language } from "#lib/redirect/visitor-pages";

const english = {
  phone: "Phone number",
  email: "Email address",
  name: "Name",
  optional: "optional",
  go: "Continue",
  skip: "Skip",
  controller: (name: string) => `Your answers go to ${name}.`,
  privacy: "Privacy policy",
  read: "Read it",
  withdraw: "Delete my answers",
  changed: "This page has changed. Check your answers, then continue again.",
  failed: "Your answers could not be saved. Try again in a moment.",
  wrong: "Check the marked fields.",
  empty: "Leave this field empty",
  wechat: {
    share: "Share WeChat name and picture",
    go: "Continue with WeChat",
    without: "Continue without WeChat",
    profileNote:
      "If you like, share your WeChat name and profile picture. WeChat asks you before it does.",
    openidNote:
      "“Continue with WeChat” shares an ID of your WeChat account (openid) with us, without your name and picture.",
  },
  codeTitle: "Enter the code",
  codeText: (phone: string, minutes: number) =>
    `A code is on its way to ${phone} by SMS. It is valid for ${minutes} minutes.`,
  code: "Code",
  codeButton: "Confirm",
  codeAgain: "Send another code",
  codeOther: "Use another phone number",
  codeRenewed: "Another code is on its way. Only the newest one works.",
  codeEarly:
    "A code was requested less than a minute ago. Wait a moment before you request another one.",
  codeFailed: "The code could not be sent. Request another one, or use another phone number.",
  codeGone: "The code expired, was used, or was entered wrong too often. Fill in the form again.",
  codeLimit:
    "Too many codes were requested for this phone number. Wait a minute, or use another phone number.",
  codeUnavailable: "Codes can’t be sent at the moment. Try again later.",
  codeBudget:
    "Too many codes were requested for phone numbers in this country today. Try again tomorrow, or use a number in another country.",
  codeMissing:
    "No message after a minute? Check the number. Numbers that have opted out of our messages get no codes.",
  problems: {
    required: "Fill in this field.",
    phone: "Enter a phone number with its country code, such as +44 20 7946 0018.",
    email: "Enter an email address, such as ada@example.com.",
    name: (max: number) => `Use at most ${max} characters.`,
    choice: "Choose one.",
    check: "Check this box to continue.",
    country: "Codes aren’t sent to phone numbers in this country. Use another number.",
    code: (digits: number) => `Enter the ${digits} digits of the code.`,
    codeWrong: (left: number) =>
      left === 1
        ? "Incorrect code. You have 1 try left."
        : `Incorrect code. You have ${left} tries left.`,
  },
  withdrawTitle: "Delete your answers",
  withdrawText: "What you entered for this link is deleted. This can’t be undone.",
  withdrawButton: "Delete my answers",
  withdrawnTitle: "Your answers were deleted",
  withdrawnText: "If you open the link again, you’ll be asked again.",
  unknownTitle: "No answers from this browser",
  unknownText: (name: string) =>
    `This browser has no answers for this link, or they were deleted. For answers from another device, contact ${name}.`,
};
export type FormTexts = typeof english;

const chinese: FormTexts = {
  phone: "手机号码",
  email: "电子邮箱",
  name: "姓名",
  optional: "选填",
  go: "继续",
  skip: "跳过",
  controller: (name) => `你填写的信息将提交给 ${name}。`,
  privacy: "隐私政策",
  read: "查看全文",
  withdraw: "删除我填写的信息",
  changed: "页面内容有更新，请核对后再次提交。",
  failed: "信息未能保存，请稍后重试。",
  wrong: "请检查标出的内容。",
  empty: "请勿填写此项",
  wechat: {
    share: "授权微信昵称和头像",
    go: "使用微信继续",
    without: "不使用微信，直接继续",
    profileNote: "你可以选择授权微信昵称和头像，微信会先征求你的同意。",
    openidNote:
      "选择“使用微信继续”后，我们会获取你的微信账号在此公众号的标识（openid），不含昵称和头像。",
  },
  codeTitle: "输入验证码",
  codeText: (phone, minutes) => `验证码将以短信发送至 ${phone}，${minutes} 分钟内有效。`,
  code: "验证码",
  codeButton: "确认",
  codeAgain: "重新发送",
  codeOther: "使用其他手机号码",
  codeRenewed: "新的验证码正在发送，仅最新的验证码有效。",
  codeEarly: "距上次发送不足一分钟，请稍后再重新发送。",
  codeFailed: "验证码未能发送，请重新发送，或使用其他手机号码。",
  codeGone: "验证码已过期、已使用，或输错次数过多，请重新填写表单。",
  codeLimit: "此手机号码的验证码请求过于频繁，请一分钟后再试，或使用其他手机号码。",
  codeUnavailable: "暂时无法发送验证码，请稍后再试。",
  codeBudget:
    "今天向该国家或地区的手机号码发送的验证码过多，请明天再试，或使用其他国家或地区的号码。",
  codeMissing: "一分钟后仍未收到短信？请检查号码。已退订我们消息的号码收不到验证码。",
  problems: {
    required: "请填写此项。",
    phone: "请填写正确的手机号码，境外号码请加上国家或地区代码，例如 +852 5123 4567。",
    email: "请填写正确的邮箱地址，例如 ada@example.com。",
    name: (max) => `最多 ${max} 个字符。`,
    choice: "请选择一项。",
    check: "请勾选后继续。",
    country: "暂不向该国家或地区的手机号码发送验证码，请使用其他号码。",
    code: (digits) => `请输入 ${digits} 位数字验证码。`,
    codeWrong: (left) => `验证码错误，还可尝试 ${left} 次。`,
  },
  withdrawTitle: "删除填写的信息",
  withdrawText: "你在此链接填写的信息将被删除，且无法恢复。",
  withdrawButton: "删除我的信息",
  withdrawnTitle: "信息已删除",
  withdrawnText: "再次打开该链接时，需要重新填写。",
  unknownTitle: "此浏览器中没有填写记录",
  unknownText: (name) =>
    `你没有在此浏览器中填写过信息，或信息已被删除。如果是在其他设备上填写的，请联系 ${name}。`,
};

export const formTexts: Record<Language, FormTexts> = { en: english, zh: chinese };
