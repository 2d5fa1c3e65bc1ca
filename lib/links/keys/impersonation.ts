/**
 * Slugs that resemble a page of the instance itself: a form under `<dashboard>/login` is phishing
 * under a trusted name. They are refused on the domain that all workspaces share, and allowed on a
 * workspace’s own domain. Look-alike spellings count too: case, separators, digits, accents, other
 * scripts.
 */
import { skeletonOf } from "#lib/basics/urls/schema";

const words = `
  login logon signin signon signup register logout signout account accounts myaccount settings
  admin administrator dashboard backoffice sysadmin auth oauth sso saml authenticate authorize mfa
  otp twofactor security secure password passwords passwordreset resetpassword recover recovery
  verification verifyaccount helpdesk billing payment payments fuxi
  anmelden konto passwort connexion compte iniciarsesion cuenta accedi
  登录 登陆 登入 注册 账户 账号 帐户 帐号 管理 管理员 密码 安全 验证
  登錄 註冊 帳戶 帳號 密碼 驗證 ログイン パスワード 로그인 비밀번호
  вход войти логин пароль аккаунт авторизация безопасность`;

const skeletons = new Set(words.trim().split(/\s+/).map(skeletonOf));

export function isImpersonation(key: string): boolean {
  const [first = ""] = key.split("/");
  // defence: impersonating-slugs
  return skeletons.has(skeletonOf(first));
}
