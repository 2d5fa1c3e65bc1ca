"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { parseUrl } from "#lib/basics/urls/schema";
import { type Suggestion, suggestionShape } from "#lib/destinations/pages/schema";
import type { PartProps } from "./form-fields.tsx";

/** A URL unchanged for this long is considered complete. */
const debounceMs = 900;

const names = ["title", "description", "image"] as const;

interface SuggestionOptions extends Pick<PartProps, "draft" | "change"> {
  workspace: string;
}

/**
 * The metadata of an entered URL, once it has not changed for a while. It fills in the fields in which nothing was typed. The
 * initial URL gets none.
 */
export function useSuggestion({ workspace, draft, change }: SuggestionOptions) {
  const { url } = draft;
  const [known, setKnown] = useState<ReadonlyMap<string, Suggestion | undefined>>(
    () => new Map([[url, undefined]]),
  );
  const filled = useRef<Record<string, string>>({});
  const fill = useEffectEvent((suggestion: Suggestion) => {
    const untouched = names.filter((name) => draft[name] === (filled.current[name] ?? ""));
    const changes = Object.fromEntries(untouched.map((name) => [name, suggestion[name] ?? ""]));
    filled.current = { ...filled.current, ...changes };
    change(changes);
  });
  const load = useEffectEvent(async (signal: AbortSignal) => {
    // The user did not ask for it, so errors are not shown.
    const suggestion = await readSuggestion(workspace, url, signal).catch(() => undefined);
    if (signal.aborted) return;
    setKnown((before) => new Map(before).set(url, suggestion));
    if (suggestion) fill(suggestion);
  });
  useEffect(() => {
    if (known.has(url) || !isComplete(url)) return;
    const controller = new AbortController();
    const timer = setTimeout(() => void load(controller.signal), debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [url, known]);
  return known.get(url);
}

/** True for a text that may be a URL; the server decides. */
function isComplete(url: string): boolean {
  const text = url.trim();
  return /^https?:\/\/[^\s/]+/i.test(text) && parseUrl(text) !== undefined;
}

async function readSuggestion(
  workspace: string,
  url: string,
  signal: AbortSignal,
): Promise<Suggestion> {
  const request = { workspace, path: "/links/suggestion", method: "POST", body: { url }, signal };
  return suggestionShape.parse(await (await callApi(request)).json());
}
