import { startTransition, useOptimistic, useState } from "react";
import { toast } from "../ui/toast.tsx";
import { useAct } from "./act.ts";
import type { FormAnswer } from "./form.tsx";

interface Removable {
  id: string;
  name: string;
}

interface RemovalWords {
  removed: (name: string) => string;
  notRemoved: (name: string) => string;
}

/** A list with deletion after a confirmation: entries disappear at once, and return when the server refuses. */
export function useRemoval<Thing extends Removable>(
  things: readonly Thing[],
  remove: ((id: string) => Promise<FormAnswer<null>>) | null | undefined,
  words: RemovalWords,
) {
  const [shown, hide] = useOptimistic(things, (before, id: string) =>
    before.filter((thing) => thing.id !== id),
  );
  const act = useAct();
  const [asked, setAsked] = useState<{ thing: Thing; open: boolean }>();

  function confirm({ id, name }: Thing) {
    if (!remove) return;
    startTransition(async () => {
      hide(id);
      const removed = await act(() => remove(id), words.notRemoved(name));
      if (removed) toast.success(words.removed(name));
    });
  }

  return {
    shown,
    ask: (thing: Thing) => setAsked({ thing, open: true }),
    /** The object to confirm, and its dialog. */
    question: asked && {
      thing: asked.thing,
      dialog: {
        open: asked.open,
        onOpenChange: (open: boolean) => setAsked({ ...asked, open }),
        onConfirm: () => confirm(asked.thing),
      },
    },
  };
}
