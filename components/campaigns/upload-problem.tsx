"use client";

import { useTranslations } from "next-intl";
import { ApiError } from "#components/forms/call-api.ts";
import { UploadFailed } from "#components/forms/send-file.ts";
import { useProblemMessages } from "#components/imports/problem-messages.ts";
import { FormError } from "#components/ui/form-error";
import { camelOf } from "#lib/basics/variants/schema";

/** Problems that are not about the file. */
const errorKeys = ["featureOff", "sourcesFull"] as const;

export function UploadProblem({ error }: { error: Error }) {
  const t = useTranslations("imports");
  const errors = useTranslations("errors");
  const { sayError } = useProblemMessages();
  if (error instanceof UploadFailed) return <FormError>{t("notSent")}</FormError>;
  const problem = error instanceof ApiError ? error.problem : undefined;
  const key = errorKeys.find((one) => one === camelOf(problem?.code ?? ""));
  const max = Number(problem?.params["max"] ?? 0);
  return <FormError>{key ? errors(key, { max }) : sayError(error)}</FormError>;
}
