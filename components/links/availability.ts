"use client";

import { useEffect, useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { availabilityShape } from "#lib/links/creating/schema";

/** Long enough that a word typed in one go is checked once. */
const pauseMs = 250;

type KeyState = "unknown" | "free" | "taken" | "invalid";

/**
 * Whether the entered slug is free. An answer applies only to the value it was requested for: a late one, for a value
 * that changed meanwhile, is dropped.
 */
export function useAvailability(workspace: string, domain: string, key: string): KeyState {
  const [known, setKnown] = useState<{ asked: string; state: KeyState }>();
  const name = `${domain}/${key}`;
  useEffect(() => {
    if (key === "") return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void fetchState(workspace, domain, key, abort.signal).then((state) => {
        if (!abort.signal.aborted) setKnown({ asked: `${domain}/${key}`, state });
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workspace, domain, key]);
  return key !== "" && known?.asked === name ? known.state : "unknown";
}

async function fetchState(
  workspace: string,
  domain: string,
  key: string,
  signal: AbortSignal,
): Promise<KeyState> {
  try {
    const path = `/links/availability?${new URLSearchParams({ domain, key })}`;
    const answer = await (await callApi({ workspace, path, signal })).json();
    const { available, reason } = availabilityShape.parse(answer);
    return available ? "free" : (reason ?? "unknown");
  } catch {
    return "unknown"; // saving reports it
  }
}
