/** Problems of reading another system, in the user’s language. */
import { useTranslations } from "next-intl";
import type { Importer } from "#lib/transfer/importers/schema";
import { ApiError } from "../forms/call-api.ts";

type Said = Pick<Importer, "error" | "problem">;

/** The message of a problem; that of the API where the catalogue has none. */
export function useImporterMessages() {
  const t = useTranslations("importers");

  function say({ error, problem }: Said): string | undefined {
    // Sound because the key is looked up in the catalogue.
    const key = `said.${problem?.code}` as "said.unreachable";
    return problem && t.has(key)
      ? t(key, problem.params as { system: string })
      : (error ?? undefined);
  }

  function sayError(error: Error): string {
    const problem = error instanceof ApiError ? (error.problem ?? null) : null;
    return say({ error: error.message, problem }) ?? error.message;
  }
  return { say, sayError };
}
