"use client";

import { Sparkles } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { suggestionShape } from "#lib/suggestions/schema";
import { ask, Refused } from "../forms/ask.ts";
import { Button } from "../ui/button.tsx";
import type { LinkDraft } from "./draft.ts";
import type { PartProps } from "./form-fields.tsx";

type Outcome = "done" | "nothing" | "refused" | "often";

interface SuggestButtonProps extends Pick<PartProps, "draft" | "change"> {
  workspace: string;
}

/** Asks the destination what it calls itself, and fills in what is still empty: never over what somebody wrote. */
export function SuggestButton({ workspace, draft, change }: SuggestButtonProps) {
  const t = useTranslations("linkForm.suggest");
  const [outcome, setOutcome] = useState<Outcome>();
  const [pending, setPending] = useState(false);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);

  async function suggest() {
    setOutcome(undefined);
    setPending(true);
    try {
      const asked = { workspace, path: "/links/suggestion", method: "POST" };
      const answer = await ask({ ...asked, body: { url: draft.url } });
      const missing = missingOf(latest.current, suggestionShape.parse(await answer.json()));
      const found = Object.keys(missing).length > 0;
      if (found) change(missing);
      setOutcome(found ? "done" : "nothing");
    } catch (problem) {
      setOutcome(outcomeOf(problem));
    }
    setPending(false);
  }

  return (
    <div className="-mt-2 flex flex-wrap items-center gap-2">
      <Button
        size="sm"
        look="ghost"
        pending={pending}
        disabled={draft.url.trim() === ""}
        onClick={() => void suggest()}
      >
        <Sparkles aria-hidden />
        {t("ask")}
      </Button>
      <p role="status" className="text-ink-muted text-sm">
        {outcome ? t(outcome) : null}
      </p>
    </div>
  );
}

const names = ["title", "description", "image"] as const;

/** What a page says and the draft does not. */
function missingOf(
  draft: LinkDraft,
  said: Readonly<Record<(typeof names)[number], string | null>>,
): Partial<LinkDraft> {
  const missing = names.filter((name) => draft[name] === "" && said[name]);
  return Object.fromEntries(missing.map((name) => [name, said[name]]));
}

function outcomeOf(problem: unknown): Outcome {
  return problem instanceof Refused && problem.status === 429 ? "often" : "refused";
}
