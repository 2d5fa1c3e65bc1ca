import { startTransition, useOptimistic, useState } from "react";
import { toast } from "#components/ui/toast";
import { type FormAnswer, useAction } from "./form.tsx";

interface Removable {
  id: string;
  name: string;
}

export interface Removal<Thing> {
  thing: Thing;
  dialog: { open: boolean; onOpenChange: (open: boolean) => void; onConfirm: () => void };
}

/** A list whose entries can be deleted after a confirmation. Entries disappear at once, and return if the server refuses. */
export function useRemoval<Thing extends Removable>(
  things: readonly Thing[],
  remove: ((id: string) => Promise<FormAnswer<null>>) | null | undefined,
  messages: { removed: (name: string) => string; notRemoved: (name: string) => string },
) {
  const [shown, hide] = useOptimistic(things, (before, id: string) =>
    before.filter((thing) => thing.id !== id),
  );
  const runAction = useAction();
  const [requested, setRequested] = useState<{ thing: Thing; open: boolean }>();

  function confirm({ id, name }: Thing) {
    if (!remove) return;
    startTransition(async () => {
      hide(id);
      const removed = await runAction(() => remove(id), messages.notRemoved(name));
      if (removed) toast.success(messages.removed(name));
    });
  }

  return {
    shown,
    ask: (thing: Thing) => setRequested({ thing, open: true }),
    question: requested && {
      thing: requested.thing,
      dialog: {
        open: requested.open,
        onOpenChange: (open: boolean) => setRequested({ ...requested, open }),
        onConfirm: () => confirm(requested.thing),
      },
    },
  };
}
