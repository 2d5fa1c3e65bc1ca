"use client";

import { Sparkles } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#components/forms/call-api.ts";
import { Button } from "#components/ui/button";
import type { Suggestion } from "#lib/destinations/pages/schema";
import type { PartProps } from "./form-fields.tsx";
import type { LinkDraft } from "./link-draft.ts";
import { readSuggestion } from "./use-suggestion.ts";

type Outcome = "done" | "nothing" | "refused" | "often";

interface SuggestionsProps extends Pick<PartProps, "draft" | "change"> {
  workspace: string;
  offered: Suggestion | undefined;
}

/**
 * Suggests the title and description of the destination. They are loaded once after the URL was entered, and offered. The button
 * loads them again and fills them in, but only into empty fields. Errors of the automatic load are not shown.
 */
export function Suggestions({ workspace, draft, change, offered }: SuggestionsProps) {
  const t = useTranslations("linkForm.suggest");
  const [outcome, setOutcome] = useState<Outcome>();
  const [pending, setPending] = useState(false);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const offer = offered && missingOf(draft, offered);

  function take(suggestion: Suggestion) {
    const missing = missingOf(latest.current, suggestion);
    if (missing) change(missing);
    setOutcome(missing ? "done" : "nothing");
  }

  async function suggest() {
    setOutcome(undefined);
    setPending(true);
    try {
      take(await readSuggestion(workspace, draft.url));
    } catch (problem) {
      setOutcome(outcomeOf(problem));
    }
    setPending(false);
  }

  return (
    <div className="-mt-2 grid gap-2">
      {offered && offer ? (
        <Offer offer={offer} onTake={() => take(offered)} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            variant="ghost"
            pending={pending}
            disabled={draft.url.trim() === ""}
            onClick={() => void suggest()}
          >
            <Sparkles aria-hidden />
            {t("ask")}
          </Button>
        </div>
      )}
      <p role="status" className="text-ink-muted text-sm empty:hidden">
        {outcome ? t(outcome) : null}
      </p>
    </div>
  );
}

type MissingFields = Partial<Pick<LinkDraft, "title" | "description" | "image">>;

function Offer({ offer, onTake }: { offer: MissingFields; onTake: () => void }) {
  const t = useTranslations("linkForm.suggest");
  return (
    <div className="flex items-center gap-3 rounded-md border border-line border-dashed px-3 py-2 text-sm">
      <Sparkles aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="text-ink-muted text-xs">{t("offer")}</p>
        {offer.title ? <p className="truncate">{offer.title}</p> : null}
        {offer.description ? <p className="truncate text-ink-muted">{offer.description}</p> : null}
        {offer.image ? <p className="text-ink-muted">{t("picture")}</p> : null}
      </div>
      <Button size="sm" onClick={onTake}>
        {t("take")}
      </Button>
    </div>
  );
}

const names = ["title", "description", "image"] as const;

function missingOf(draft: LinkDraft, suggestion: Suggestion): MissingFields | undefined {
  const missing = names.filter((name) => draft[name] === "" && suggestion[name]);
  if (missing.length === 0) return undefined;
  return Object.fromEntries(missing.map((name) => [name, suggestion[name]]));
}

function outcomeOf(problem: unknown): Outcome {
  return problem instanceof ApiError && problem.status === 429 ? "often" : "refused";
}
