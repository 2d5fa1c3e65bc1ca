"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { parseUrl } from "#lib/basics/urls/schema";
import { type Suggestion, suggestionShape } from "#lib/destinations/pages/schema";

/** A URL unchanged for this long is considered complete. */
const debounceMs = 900;

/** The metadata of an entered URL, once it has not changed for a while. The initial URL gets none. */
export function useSuggestion(workspace: string, url: string): Suggestion | undefined {
  const [held, setHeld] = useState<{ url: string; suggestion: Suggestion }>();
  const requestedUrls = useRef(new Set([url]));
  const load = useEffectEvent(async (signal: AbortSignal) => {
    requestedUrls.current.add(url);
    // It was not requested by the user, so errors are not shown.
    const suggestion = await readSuggestion(workspace, url, signal).catch(() => undefined);
    if (suggestion && !signal.aborted) setHeld({ url, suggestion });
  });
  useEffect(() => {
    if (requestedUrls.current.has(url) || !isComplete(url)) return;
    const controller = new AbortController();
    const timer = setTimeout(() => void load(controller.signal), debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [url]);
  return held?.url === url ? held.suggestion : undefined;
}

/** True for a text that may be a URL; the server decides. */
function isComplete(url: string): boolean {
  const text = url.trim();
  return /^https?:\/\/[^\s/]+/i.test(text) && parseUrl(text) !== undefined;
}

export async function readSuggestion(
  workspace: string,
  url: string,
  signal?: AbortSignal,
): Promise<Suggestion> {
  const path = "/links/suggestion";
  const answer = await callApi({
    workspace,
    path,
    method: "POST",
    body: { url },
    ...(signal ? { signal } : {}),
  });
  return suggestionShape.parse(await answer.json());
}
