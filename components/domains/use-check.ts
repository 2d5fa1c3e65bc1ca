"use client";

import { useRef, useState } from "react";
import { ApiError, callApi } from "#components/forms/call-api.ts";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import type { Verification } from "#lib/links/domains/schema";

/** Interval of DNS checks while the page of a pending domain is visible. */
const checkEveryMs = 5_000;

interface CheckOptions {
  workspace: string;
  host: string;
  initial: Verification;
  mayCheck: boolean;
  onVerified: () => void;
}

type CheckFailure = "taken" | "often" | "failed";
type CheckResult = { ok: true; verification: Verification } | { ok: false; refused: CheckFailure };

async function checkOnce(workspace: string, host: string): Promise<CheckResult> {
  try {
    const path = `/domains/${host}/verify`;
    const response = await callApi({ workspace, path, method: "POST" });
    return { ok: true, verification: asVerification(await response.json()) };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    return { ok: false, refused: failures.get(status) ?? "failed" };
  }
}

const failures = new Map<number, CheckFailure>([
  [409, "taken"],
  [429, "often"],
]);

/** Checks the DNS of a domain: on request, and periodically while it is pending and the page is visible. */
export function useCheck({ workspace, host, initial, mayCheck, onVerified }: CheckOptions) {
  const [verification, setVerification] = useState(initial);
  const [checking, setChecking] = useState(false);
  const [refused, setRefused] = useState<CheckFailure>();
  const underway = useRef(false);

  async function runCheck() {
    if (underway.current) return;
    underway.current = true;
    const seen = await checkOnce(workspace, host);
    underway.current = false;
    setRefused(seen.ok ? undefined : seen.refused);
    if (!seen.ok) return;
    setVerification(seen.verification);
    if (seen.verification.verified && !verification.verified) onVerified();
  }

  const waits = mayCheck && !verification.verified && refused !== "taken";
  useVisibleInterval(waits ? checkEveryMs : undefined, () => void runCheck());

  function check() {
    setChecking(true);
    void runCheck().finally(() => setChecking(false));
  }
  return { verification, checking, refused, check };
}

/** Sound because the API validates with this schema. */
function asVerification(answer: unknown): Verification {
  return answer as Verification;
}
