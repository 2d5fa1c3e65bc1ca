/**
 * Slugs that resemble a page of the instance itself: `<dashboard>/login` with a form behind it is phishing under a trusted
 * name. They are refused on the domain shared by all workspaces, and allowed on a workspace's own domain.
 * Spellings that look alike count as the word: other cases, separators, digits, accents, letters of other scripts.
 */
const words = [
  ...["login", "logon", "signin", "signon", "signup", "register", "logout", "signout"],
  ...["account", "accounts", "myaccount", "settings"],
  ...["admin", "administrator", "dashboard", "backoffice", "sysadmin"],
  ...["auth", "oauth", "sso", "saml", "authenticate", "authorize", "mfa", "otp", "twofactor"],
  ...["security", "secure", "password", "passwords", "passwordreset", "resetpassword", "recover"],
  ...["recovery", "verification", "verifyaccount", "helpdesk"],
  ...["billing", "payment", "payments", "fuxi"],
  ...["anmelden", "konto", "passwort", "connexion", "compte", "iniciarsesion", "cuenta", "accedi"],
  ...[
    "登录",
    "登陆",
    "登入",
    "注册",
    "账户",
    "账号",
    "帐户",
    "帐号",
    "管理",
    "管理员",
    "密码",
    "安全",
    "验证",
  ],
  ...[
    "登錄",
    "註冊",
    "帳戶",
    "帳號",
    "密碼",
    "驗證",
    "ログイン",
    "パスワード",
    "로그인",
    "비밀번호",
  ],
  ...["вход", "войти", "логин", "пароль", "аккаунт", "авторизация", "безопасность"],
];

/** Letters of Cyrillic, Greek and other scripts that resemble a Latin one, and digits and signs that are read as one. */
const lookAlikes: Record<string, string> = Object.fromEntries(
  Object.entries({
    a: "аαａ@4ɑ",
    b: "ьвβ8",
    c: "сϲ¢",
    d: "ԁɗ",
    e: "еёєε3€",
    g: "ɡ9ց",
    h: "һհ",
    i: "іїιı1!|ӏ",
    j: "јʝ",
    k: "кκ",
    l: "ⅼ",
    m: "мʍ",
    n: "ոηп",
    o: "оοσ0ѳօ",
    p: "рρ",
    q: "ԛ",
    r: "гɾ",
    s: "ѕ5$ꜱ",
    t: "тτ7",
    u: "υսц",
    v: "νѵ",
    w: "шѡԝ",
    x: "хχ",
    y: "уүγ",
    z: "ᴢ2",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** The normalized slug: without case, accents and separators, `l` and `i` being one letter. */
function skeletonOf(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@$!|€¢]/gu, "");
  return [...plain]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join("")
    .replaceAll("l", "i");
}

const skeletons = new Set(words.map(skeletonOf));

/** True for a slug whose first segment resembles a page of the instance. */
export function isImpersonation(key: string): boolean {
  const [first = ""] = key.split("/");
  return skeletons.has(skeletonOf(first));
}
