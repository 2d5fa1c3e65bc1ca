/** What a message with a code says. */
import { codeMinutes } from "#lib/audience/phone-codes/schema";
import { type GatewaySettings, kindOf } from "#lib/outreach/gateways/schema";

interface CodeMessage {
  code: string;
  /** Of the form. */
  title: string;
}

/** In the language of the page that asked for the phone. */
export function codeText(language: string, { code, title }: CodeMessage): string {
  return language === "zh"
    ? `验证码 ${code}，用于“${title}”，${codeMinutes} 分钟内有效。请勿告诉他人。`
    : `${code} is your code for "${title}". It is valid for ${codeMinutes} minutes. Don’t share it.`;
}

/** The variables of a template: {code} is the code. There is no recipient, so that other columns have their fallback. */
export function variablesOf(settings: GatewaySettings, code: string): Record<string, string> {
  const variables = kindOf(settings).templateOf?.(settings)?.variables ?? {};
  return Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name, fillCode(text, code)]),
  );
}

function fillCode(text: string, code: string): string {
  return text.replace(/\{([^{}|]*)(?:\|([^{}]*))?\}/g, (_, name: string, fallback = "") =>
    name.trim() === "code" ? code : fallback,
  );
}
