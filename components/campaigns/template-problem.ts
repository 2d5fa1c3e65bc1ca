import { useTranslations } from "next-intl";
import type { TemplateProblem } from "#lib/outreach/messages";

export function useTemplateProblem(): (problem: TemplateProblem) => string {
  const t = useTranslations("campaignForm.problems");
  return ({ code, at, name }) => t(code, { at: at + 1, name });
}
