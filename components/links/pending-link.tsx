"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { useCreatedNotice } from "./created-link.tsx";
import { useLinkCreator } from "./creator-context.ts";
import type { CreatedLink } from "./link-creator.tsx";

interface PendingLinkProps {
  /** Whether a link is pending. Creating it makes this false. */
  waiting: boolean;
  make: () => Promise<FormAnswer<CreatedLink | null>>;
}

/** Creates the link that was requested before signing in. */
export function PendingLink({ waiting, make }: PendingLinkProps) {
  const { workspace } = useLinkCreator();
  const runAction = useAction();
  const notify = useCreatedNotice(workspace);
  const hasStarted = useRef(false);
  const create = useEffectEvent(async () => {
    const created = await runAction(make);
    if (created?.done) await notify(created.done);
  });
  useEffect(() => {
    if (!waiting || hasStarted.current) return;
    hasStarted.current = true;
    void create();
  }, [waiting]);
  return null;
}
