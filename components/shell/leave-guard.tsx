"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { holdPage, type PageHold } from "./leaving.ts";

interface LeaveGuardProps {
  title: string;
  /** What is lost. */
  children: ReactNode;
  action: string;
}

/** While it is rendered, leaving the page asks first. Closing the tab shows the question of the browser. */
export function LeaveGuard({ title, children, action }: LeaveGuardProps) {
  const router = useRouter();
  const [asked, setAsked] = useState<{ path: string | null }>();
  const hold = useRef<PageHold>(undefined);
  useEffect(() => {
    hold.current = holdPage((path) => setAsked({ path }));
    return () => {
      hold.current?.release(true);
      hold.current = undefined;
    };
  }, []);

  function stay() {
    if (asked?.path === null) hold.current?.holdAgain();
    setAsked(undefined);
  }

  function leave() {
    hold.current?.release(false);
    hold.current = undefined;
    // The entry that caught the back button is replaced.
    if (asked?.path) router.replace(asked.path);
    else history.back();
  }

  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={stay}
      title={title}
      action={action}
      onConfirm={leave}
    >
      {children}
    </ConfirmDialog>
  );
}
