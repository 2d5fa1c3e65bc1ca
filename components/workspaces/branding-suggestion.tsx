"use client";

import { Sparkles } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { Button } from "#components/ui/button";
import {
  type Branding,
  brandingSuggestionShape,
  type BrandingSuggestion as Suggestion,
} from "#lib/links/branding/schema";

interface BrandingSuggestionProps {
  workspace: string;
  pending: boolean;
  onTake: (branding: Partial<Branding>) => void;
}

/** Color and logo of the workspace's own site, to be accepted by one click. Nothing is shown without any. */
export function BrandingSuggestion({ workspace, pending, onTake }: BrandingSuggestionProps) {
  const t = useTranslations("pageLook.suggestion");
  const suggestion = useSuggestion(workspace);
  if (!suggestion?.site) return null;
  const { site, color, logo } = suggestion;
  return (
    <section
      aria-label={t("label")}
      className="flex flex-wrap items-center gap-3 rounded-md border border-line border-dashed px-3 py-2 text-sm"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-ink-faint" />
      {logo ? (
        // biome-ignore lint/performance/noImgElement: the exact bytes that visitors would get
        <img
          src={`data:image/png;base64,${logo}`}
          alt={t("logo", { site })}
          className="size-8 rounded-sm bg-white object-contain p-0.5"
        />
      ) : null}
      {color ? (
        <span className="flex items-center gap-1.5 text-ink-muted tabular-nums">
          <span
            aria-hidden
            className="size-5 rounded-full border border-line"
            style={{ background: color }}
          />
          {color}
        </span>
      ) : null}
      <p className="min-w-40 flex-1">{t("text", { site })}</p>
      <Button
        size="sm"
        pending={pending}
        onClick={() => onTake({ ...(color ? { color } : {}), ...(logo ? { logo } : {}) })}
      >
        {t("take")}
      </Button>
    </section>
  );
}

function useSuggestion(workspace: string): Suggestion | undefined {
  const [suggestion, setSuggestion] = useState<Suggestion>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void callApi({ workspace, path: "/page-look/suggestion", signal })
      .then((answer) => answer.json())
      .then(
        (body) => setSuggestion(brandingSuggestionShape.parse(body)),
        // Nobody requested it, so an error is not shown.
        () => undefined,
      );
    return () => controller.abort();
  }, [workspace]);
  return suggestion;
}
