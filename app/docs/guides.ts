/** The guides: Markdown in docs/guides, so that they can be read without Fuxi too. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locale } from "#lib/platform/messages/schema";

export const guides = [
  "start",
  "marketers",
  "rules",
  "apps",
  "tests",
  "passwords",
  "forms",
  "previews",
  "imports",
  "moving",
  "sms",
  "conversions",
  "webhooks",
  "mcp",
  "cli",
  "extension",
  "plans",
  "operators",
] as const;
export type Guide = (typeof guides)[number];

export function readGuide(guide: Guide, locale: Locale): Promise<string> {
  return readFile(join(process.cwd(), "docs", "guides", `${guide}.${locale}.md`), "utf8");
}
