"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import type { FormAnswer } from "./form.tsx";
import { useAction } from "./use-action.ts";

interface EraseButtonProps {
  erase: () => Promise<FormAnswer<null>>;
  /** Where to go afterwards. */
  path: string;
  texts: {
    button: string;
    title: string;
    text: string;
    action: string;
    done: string;
    failed: string;
  };
}

/** Erases what a page is about, after a question, and leaves the page. */
export function EraseButton({ erase, path, texts }: EraseButtonProps) {
  const router = useRouter();
  const runAction = useAction();
  const [open, setOpen] = useState(false);
  const [pending, start] = useTransition();

  function confirm() {
    start(async () => {
      const erased = await runAction(erase, texts.failed);
      if (!erased) return;
      toast.success(texts.done);
      router.replace(path);
    });
  }

  return (
    <>
      <Button className="text-danger" pending={pending} onClick={() => setOpen(true)}>
        {texts.button}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={texts.title}
        action={texts.action}
        onConfirm={confirm}
      >
        {texts.text}
      </ConfirmDialog>
    </>
  );
}
