"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

const everyMs = 10_000;

/** Asks for the page's numbers again while somebody looks at it, and at once when they come back to it. */
export function KeepFresh() {
  const router = useRouter();
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === "visible") router.refresh();
  });
  useEffect(() => {
    const onReturn = () => refresh();
    const timer = setInterval(onReturn, everyMs);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
  return null;
}
