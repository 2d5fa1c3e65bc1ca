import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import type { NamedOption } from "#components/links/names.ts";
import {
  type Campaign,
  type RecipientProblem,
  recipientProblems,
} from "#lib/outreach/campaigns/schema";
import type {
  AddAudience,
  ChangeSource,
  RecipientSource,
  SourceStep,
} from "#lib/outreach/sources/schema";

export interface SourceActions {
  change: (id: string, body: ChangeSource) => Promise<FormAnswer<RecipientSource>>;
  step: (id: string, step: SourceStep) => Promise<FormAnswer<RecipientSource>>;
  addAudience: (body: AddAudience) => Promise<FormAnswer<RecipientSource>>;
  findCampaigns: (search: string) => Promise<NamedOption[]>;
}

export interface SourcePartProps {
  workspace: string;
  campaign: Pick<Campaign, "id" | "columns" | "variants">;
  actions: SourceActions;
  /** May see phones and download files with them. */
  seesPeople: boolean;
}

export interface SourceProps extends SourcePartProps {
  source: RecipientSource;
  onShown: (source: RecipientSource) => void;
}

export function useSourceStep({ source, actions, onShown }: SourceProps) {
  const runAction = useAction();
  const router = useRouter();
  const [pending, start] = useTransition();
  const run = (step: SourceStep, after?: () => void) =>
    start(async () => {
      const answer = await runAction(() => actions.step(source.id, step));
      if (!answer) return;
      onShown(answer.done);
      after?.();
      router.refresh();
    });
  return { pending, run };
}

/** Sound because these are the keys of the table. */
const codes = Object.keys(recipientProblems) as RecipientProblem[];

export function useRecipientProblem() {
  const t = useTranslations("recipients");
  return (code: string, column: string | null): string => {
    const known = codes.find((one) => one === code);
    return known ? t(`problems.${known}`, { column: column ?? t("someColumn") }) : code;
  };
}
