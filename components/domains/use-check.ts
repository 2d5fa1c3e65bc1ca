"use client";

import { useRef, useState } from "react";
import type { Verification } from "#lib/links/domains/schema";
import { ask, Refused } from "../forms/ask.ts";
import { useRepeat } from "../shell/repeat.ts";

/** Interval of DNS checks while the page of a pending domain is visible. */
const checkEveryMs = 5_000;

interface Check {
  workspace: string;
  host: string;
  initial: Verification;
  mayCheck: boolean;
  onVerified: () => void;
}

type Refusal = "taken" | "often" | "failed";
type Seen = { ok: true; verification: Verification } | { ok: false; refused: Refusal };

async function askOnce(workspace: string, host: string): Promise<Seen> {
  try {
    const path = `/domains/${host}/verify`;
    const response = await ask({ workspace, path, method: "POST" });
    return { ok: true, verification: asVerification(await response.json()) };
  } catch (error) {
    const status = error instanceof Refused ? error.status : 0;
    return { ok: false, refused: refusals.get(status) ?? "failed" };
  }
}

const refusals = new Map<number, Refusal>([
  [409, "taken"],
  [429, "often"],
]);

/** Checks the DNS of a domain: on request, and periodically while it is pending and the page is visible. */
export function useCheck({ workspace, host, initial, mayCheck, onVerified }: Check) {
  const [verification, setVerification] = useState(initial);
  const [checking, setChecking] = useState(false);
  const [refused, setRefused] = useState<Refusal>();
  const underway = useRef(false);

  async function look() {
    if (underway.current) return;
    underway.current = true;
    const seen = await askOnce(workspace, host);
    underway.current = false;
    setRefused(seen.ok ? undefined : seen.refused);
    if (!seen.ok) return;
    setVerification(seen.verification);
    if (seen.verification.verified && !verification.verified) onVerified();
  }

  const waits = mayCheck && !verification.verified && refused !== "taken";
  useRepeat(waits ? checkEveryMs : undefined, () => void look());

  function check() {
    setChecking(true);
    void look().finally(() => setChecking(false));
  }
  return { verification, checking, refused, check };
}

/** Sound because the API validates with this schema. */
function asVerification(answer: unknown): Verification {
  return answer as Verification;
}
