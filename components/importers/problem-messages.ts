import { useTranslations } from "next-intl";
import { ApiError } from "#components/forms/call-api.ts";
import { useProblemMessages } from "#components/imports/problem-messages.ts";
import type { Importer } from "#lib/transfer/importers/schema";

type Said = Pick<Importer, "error" | "problem">;

/** The message of a problem, or the API’s message if the catalog has none. */
export function useImporterMessages() {
  const t = useTranslations("importers");
  // The links can be refused for the same reasons as an uploaded file.
  const files = useProblemMessages();

  function say({ error, problem }: Said): string | undefined {
    // Sound because the key is looked up in the catalog.
    const key = `said.${problem?.code}` as "said.unreachable";
    if (problem && t.has(key)) return t(key, problem.params as { system: string });
    return error === null ? undefined : files.say(problem, error);
  }

  function sayError(error: Error): string {
    const problem = error instanceof ApiError ? (error.problem ?? null) : null;
    return say({ error: error.message, problem }) ?? error.message;
  }
  return { say, sayError };
}
