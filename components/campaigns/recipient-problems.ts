import { useTranslations } from "next-intl";
import { type RecipientProblem, recipientProblems } from "#lib/outreach/campaigns/schema";

/** Sound because they are the keys of the table. */
const codes = Object.keys(recipientProblems) as RecipientProblem[];

/** Why a row has no message, in the user's language. */
export function useRecipientProblem() {
  const t = useTranslations("recipients");
  return (code: string, column: string | null): string => {
    const known = codes.find((one) => one === code);
    return known ? t(`problems.${known}`, { column: column ?? t("someColumn") }) : code;
  };
}
