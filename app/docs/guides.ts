/** The guides: Markdown in docs/guides, so that they can be read without Fuxi too. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locale } from "#lib/platform/messages/schema";

export const guideGroups = {
  start: ["start", "moving"],
  marketers: [
    "marketers",
    "rules",
    "apps",
    "tests",
    "checks",
    "passwords",
    "forms",
    "previews",
    "imports",
  ],
  developers: [
    "sms",
    "volume",
    "conversions",
    "webhooks",
    "automation",
    "clients",
    "mcp",
    "cli",
    "extension",
  ],
  administrators: ["operators", "single-sign-on", "plans"],
} as const;
export type GuideGroup = keyof typeof guideGroups;
export const guides = Object.values(guideGroups).flat();
export type Guide = (typeof guides)[number];

export function readGuide(guide: Guide, locale: Locale): Promise<string> {
  return readFile(join(process.cwd(), "docs", "guides", `${guide}.${locale}.md`), "utf8");
}
