/** What is wrong with a file, a row or an import, in the language of the person. */
import { useTranslations } from "next-intl";
import type { ImportWord } from "#lib/platform/messages/schema";
import type { ProblemShape } from "#lib/transfer/imports/schema";
import { Refused } from "../forms/ask.ts";

/** Words for a problem; what the API says where the catalogue has none. */
export function useProblemWords() {
  const t = useTranslations("imports");

  /** Sound because the catalogue is asked whether it has the word. */
  function known(code: string): ImportWord | undefined {
    const word = code as ImportWord;
    return t.has(`said.${word}`) ? word : undefined;
  }

  function say(problem: ProblemShape | null | undefined, message: string): string {
    const word = problem ? known(problem.code) : undefined;
    if (!problem || !word) return message;
    return t(`said.${word}`, { ...problem.params, field: fieldOf(problem.params["field"]) });
  }

  /** As the table of columns calls it; some fields have their name of the API there too. */
  function fieldOf(field: string | number | undefined): string {
    const name = `fields.${field}` as "fields.url";
    return t.has(name) ? t(name) : String(field);
  }

  return {
    say,
    sayError: (error: Error) =>
      say(error instanceof Refused ? error.problem : undefined, error.message),
  };
}
