"use client";

import { useTranslations } from "next-intl";
import { startTransition } from "react";
import { useAct } from "../forms/act.ts";
import type { FormAnswer } from "../forms/form.tsx";
import { toast } from "../ui/toast.tsx";
import { offerUndo } from "../ui/undo.ts";
import type { GroupActions, LinkChange, RefusedWord } from "./link-group.ts";
import { withoutScheme } from "./names.ts";

interface Asked {
  /** Runs at the start: updates the list optimistically. */
  expect?: () => void;
  /** Runs when the action failed. */
  refused?: () => void;
}

type Word = "archived" | "unarchived" | "tagged" | "moved";

/** Runs an action, and shows its error. */
function useAsking() {
  const t = useTranslations("linkGroup");
  const act = useAct();

  function reasonOf(refused: readonly RefusedWord[]): string | undefined {
    const [first] = refused;
    return first && t("refused", { count: refused.length, reason: t(`reasons.${first}`) });
  }

  /** The result, or undefined after its error was shown. */
  async function ask<Done>(run: () => Promise<FormAnswer<Done>>, asked: Asked = {}) {
    const answer = await act(run, t("notDone"));
    if (!answer) asked.refused?.();
    return answer?.done;
  }

  function tellUndone(count: number, refused: readonly RefusedWord[]) {
    const reason = reasonOf(refused);
    if (reason) toast.error(t("partlyUndone", { count }), { description: reason });
    else toast.success(t("undone", { count }));
  }

  return { t, ask, reasonOf, tellUndone };
}

/** Runs an action on links, reports the result, and offers to undo it. */
export function useLinkGroup(actions: GroupActions) {
  const { t, ask, reasonOf, tellUndone } = useAsking();

  function takeBack(steps: Parameters<GroupActions["changeLinks"]>[0]) {
    startTransition(async () => {
      const done = await ask(() => actions.changeLinks(steps));
      if (done) tellUndone(done.changed, done.refused);
    });
  }

  function change(ids: readonly string[], change: LinkChange, word: Word, asked: Asked = {}) {
    startTransition(async () => {
      asked.expect?.();
      const done = await ask(() => actions.changeLinks([{ ...change, linkIds: [...ids] }]), asked);
      if (!done) return;
      const reason = reasonOf(done.refused);
      if (done.changed > 0) {
        const message = t(word, { count: done.changed });
        offerUndo({
          message,
          description: reason,
          label: t("undo"),
          undo: () => takeBack(done.undo),
        });
      } else if (reason) toast.error(t("notDone"), { description: reason });
      else toast(t("unchanged"));
    });
  }

  function discard(
    ids: readonly string[],
    name: string,
    asked: Asked & { done?: () => void } = {},
  ) {
    startTransition(async () => {
      asked.expect?.();
      const done = await ask(() => actions.discardLinks([...ids]), asked);
      if (!done) return;
      asked.done?.();
      const count = done.ids.length;
      if (count === 0) return void toast.error(t("notDone"), { description: t("reasons.gone") });
      offerUndo({
        message: t("deleted", { count, link: name }),
        description:
          count < ids.length ? t("notAllDeleted", { count: ids.length - count }) : undefined,
        label: t("undo"),
        undo: () => restore(done.ids),
      });
    });
  }

  function restore(ids: string[]) {
    startTransition(async () => {
      const done = await ask(() => actions.restoreLinks(ids));
      if (done) tellUndone(done.restored, done.refused);
    });
  }

  function duplicate(id: string, arrive?: (copy: string) => void, leave?: () => void) {
    startTransition(async () => {
      const done = await ask(() => actions.duplicateLink(id));
      if (!done) return;
      arrive?.(done.id);
      offerUndo({
        message: t("duplicated", { link: withoutScheme(done.shortLink) }),
        label: t("undo"),
        undo: () =>
          startTransition(async () => {
            const gone = await ask(() => actions.discardLinks([done.id]));
            if (!gone) return;
            leave?.();
            tellUndone(gone.ids.length, []);
          }),
      });
    });
  }

  return { change, discard, duplicate };
}
