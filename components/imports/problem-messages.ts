import { useTranslations } from "next-intl";
import { ApiError } from "#components/forms/call-api.ts";
import type { ImportMessageKey } from "#lib/platform/messages/schema";
import type { ProblemShape } from "#lib/transfer/imports/schema";

/** The message of a problem, or the API’s message if the catalog has none. */
export function useProblemMessages() {
  const t = useTranslations("imports");

  /** Sound because the key is looked up in the catalog. */
  function known(code: string): ImportMessageKey | undefined {
    const messageKey = code as ImportMessageKey;
    return t.has(`said.${messageKey}`) ? messageKey : undefined;
  }

  function say(problem: ProblemShape | null | undefined, message: string): string {
    const messageKey = problem ? known(problem.code) : undefined;
    if (!problem || !messageKey) return message;
    return t(`said.${messageKey}`, { ...problem.params, field: fieldOf(problem.params["field"]) });
  }

  /** The label from the column table, or the API name for fields without one. */
  function fieldOf(field: string | number | undefined): string {
    const name = `fields.${field}` as "fields.url";
    return t.has(name) ? t(name) : String(field);
  }

  return {
    say,
    sayError: (error: Error) =>
      say(error instanceof ApiError ? error.problem : undefined, error.message),
  };
}
