"use client";

import { useEffect, useState } from "react";
import { signedOutEvent } from "#components/forms/form";
import { lazyPart } from "#components/messages/lazy-part";
import { Dialog } from "#components/ui/dialog";
import type { AskForPasskey } from "./passkey.ts";

const SignInDialog = lazyPart(() => import("./sign-in-dialog.tsx").then((one) => one.SignInDialog));

/** True once an action was refused because nobody is signed in. */
export function useSignedOut() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = () => setOpen(true);
    window.addEventListener(signedOutEvent, show);
    return () => window.removeEventListener(signedOutEvent, show);
  }, []);
  return [open, setOpen] as const;
}

/** Opens above the page when its session has ended; the input below it is kept. */
export function SignInAgain({ ask }: { ask: AskForPasskey | undefined }) {
  const [open, setOpen] = useSignedOut();
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      {open ? <SignInDialog ask={ask} onIn={() => setOpen(false)} /> : null}
    </Dialog>
  );
}
