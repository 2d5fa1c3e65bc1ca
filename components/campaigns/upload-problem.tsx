"use client";

import { useTranslations } from "next-intl";
import { camelOf } from "#lib/basics/variants/schema";
import { ApiError } from "../forms/call-api.ts";
import { UploadFailed } from "../forms/send-file.ts";
import { useProblemMessages } from "../imports/problem-messages.ts";
import { FormError } from "../ui/form-error.tsx";

/** Problems that are not about the file. */
const errorKeys = ["featureOff", "sourcesFull"] as const;

/** Why a file was not accepted, and what to do. */
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
