"use client";

import { useEffect, useState } from "react";
import { type ProofRequest, proofEvent } from "#components/forms/form";
import { lazyPart } from "#components/messages/lazy-part";
import { Dialog } from "#components/ui/dialog";
import type { ProofActions } from "./proof-dialog.tsx";

const ProofDialog = lazyPart(() => import("./proof-dialog.tsx").then((one) => one.ProofDialog));

/** Opens above the page when an action needs a fresh proof; the action then continues. */
export function ProofRequests(actions: ProofActions) {
  const [request, setRequest] = useState<ProofRequest>();
  useEffect(() => {
    const show = (event: Event) => {
      event.preventDefault();
      // Sound because only form.tsx dispatches this event.
      setRequest(event as ProofRequest);
    };
    window.addEventListener(proofEvent, show);
    return () => window.removeEventListener(proofEvent, show);
  }, []);

  function settle(proved: boolean) {
    request?.settle(proved);
    setRequest(undefined);
  }

  return (
    <Dialog
      open={request !== undefined}
      onOpenChange={(open) => (open ? undefined : settle(false))}
    >
      {request ? <ProofDialog {...actions} onProved={() => settle(true)} /> : null}
    </Dialog>
  );
}
