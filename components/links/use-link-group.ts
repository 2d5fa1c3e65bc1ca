"use client";

import { useTranslations } from "next-intl";
import { startTransition } from "react";
import type { FormAnswer } from "../forms/form.tsx";
import { signedOutEvent } from "../forms/form.tsx";
import { toast } from "../ui/toast.tsx";
import { offerUndo } from "../ui/undo.ts";
import type { GroupActions, LinkChange, RefusedWord } from "./link-group.ts";

interface Asked {
  /** Runs at the beginning: shows the list as it will be. */
  expect?: () => void;
  /** Runs when nothing was done. */
  refused?: () => void;
}

type Word = "archived" | "unarchived" | "tagged" | "moved";

/** Does something with links, says what was done, and offers to take it back. */
export function useLinkGroup(actions: GroupActions) {
  const t = useTranslations("linkGroup");
  const errors = useTranslations("errors");

  function reasonOf(refused: readonly RefusedWord[]): string | undefined {
    const [first] = refused;
    return first && t("refused", { count: refused.length, reason: t(`reasons.${first}`) });
  }

  /** What was done, or undefined after its refusal was told. */
  async function ask<Done>(work: Promise<FormAnswer<Done>>, asked: Asked = {}) {
    const answer = await work.catch(() => undefined);
    if (answer?.ok) return answer.done;
    asked.refused?.();
    if (answer?.form === "signedOut") window.dispatchEvent(new Event(signedOutEvent));
    else toast.error(t("notDone"), { description: errors(answer?.form ?? "offline") });
    return undefined;
  }

  function takeBack(steps: Parameters<GroupActions["changeLinks"]>[0]) {
    startTransition(async () => {
      const done = await ask(actions.changeLinks(steps));
      if (done) tellUndone(done.changed, done.refused);
    });
  }

  function tellUndone(count: number, refused: readonly RefusedWord[]) {
    const reason = reasonOf(refused);
    if (reason) toast.error(t("partlyUndone", { count }), { description: reason });
    else toast.success(t("undone", { count }));
  }

  function change(ids: readonly string[], change: LinkChange, word: Word, asked: Asked = {}) {
    startTransition(async () => {
      asked.expect?.();
      const done = await ask(actions.changeLinks([{ ...change, linkIds: [...ids] }]), asked);
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
      const done = await ask(actions.discardLinks([...ids]), asked);
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
      const done = await ask(actions.restoreLinks(ids));
      if (done) tellUndone(done.restored, done.refused);
    });
  }

  return { change, discard };
}
