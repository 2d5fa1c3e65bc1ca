"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useAction } from "#components/forms/use-action.ts";
import type { SourceStep } from "#lib/outreach/sources/schema";
import type { SourceProps } from "./source-part.ts";

/** Runs a step of a source, and shows its new state. */
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
