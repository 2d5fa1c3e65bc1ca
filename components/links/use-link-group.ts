"use client";

import { useTranslations } from "next-intl";
import { startTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { toast } from "#components/ui/toast";
import { offerUndo } from "#components/ui/undo.ts";
import { camelOf } from "#lib/basics/variants/schema";
import type { GroupActions, LinkChange } from "./link-group.ts";
import { withoutScheme } from "./names.ts";

interface Effects {
  /** Runs first, and updates the list optimistically. */
  expect?: () => void;
  /** Runs if the action failed. */
  refused?: () => void;
}

type DoneKey =
  | "archived"
  | "unarchived"
  | "disabled"
  | "enabled"
  | "tagged"
  | "moved"
  | "hostReplaced";

function useActions() {
  const t = useTranslations("linkGroup");
  const runAction = useAction();

  function reasonOf(refused: readonly string[]): string | undefined {
    const [first] = refused;
    if (first === undefined) return undefined;
    // Sound because the key is looked up in the catalog.
    const key = `reasons.${camelOf(first)}` as "reasons.other";
    const reason = t(t.has(key) ? key : "reasons.other");
    return t("refused", { count: refused.length, reason });
  }

  /** The result, or undefined after its error was shown. */
  async function run<Done>(run: () => Promise<FormAnswer<Done>>, more: Effects = {}) {
    const answer = await runAction(run, t("notDone"));
    if (!answer) more.refused?.();
    return answer?.done;
  }

  function tellUndone(count: number, refused: readonly string[]) {
    const reason = reasonOf(refused);
    if (reason) toast.error(t("partlyUndone", { count }), { description: reason });
    else toast.success(t("undone", { count }));
  }

  return { t, run, reasonOf, tellUndone };
}

/** Runs an action on links, reports the result, and offers to undo it. */
export function useLinkGroup(actions: GroupActions) {
  const { t, run, reasonOf, tellUndone } = useActions();
  const common = useTranslations("common");

  function takeBack(steps: Parameters<GroupActions["changeLinks"]>[0]) {
    startTransition(async () => {
      const done = await run(() => actions.changeLinks(steps));
      if (done) tellUndone(done.changed, done.refused);
    });
  }

  function change(ids: readonly string[], change: LinkChange, key: DoneKey, more: Effects = {}) {
    startTransition(async () => {
      more.expect?.();
      const done = await run(() => actions.changeLinks([{ ...change, linkIds: [...ids] }]), more);
      if (!done) return;
      const reason = reasonOf(done.refused);
      if (done.changed > 0) {
        const message = t(key, { count: done.changed });
        offerUndo({
          message,
          description: reason,
          label: common("undo"),
          undo: () => takeBack(done.undo),
        });
      } else if (reason) toast.error(t("notDone"), { description: reason });
      else toast(t("unchanged"));
    });
  }

  function discard(
    ids: readonly string[],
    name: string,
    more: Effects & { done?: () => void } = {},
  ) {
    startTransition(async () => {
      more.expect?.();
      const done = await run(() => actions.deleteLinks([...ids]), more);
      if (!done) return;
      more.done?.();
      const count = done.ids.length;
      if (count === 0) return void toast.error(t("notDone"), { description: t("reasons.gone") });
      offerUndo({
        message: t("deleted", { count, link: name }),
        description:
          count < ids.length ? t("notAllDeleted", { count: ids.length - count }) : undefined,
        label: common("undo"),
        undo: () => restore(done.ids),
      });
    });
  }

  function restore(ids: string[]) {
    startTransition(async () => {
      const done = await run(() => actions.restoreLinks(ids));
      if (done) tellUndone(done.restored, done.refused);
    });
  }

  function duplicate(id: string, arrive?: (copy: string) => void, leave?: () => void) {
    startTransition(async () => {
      const done = await run(() => actions.duplicateLink(id));
      if (!done) return;
      arrive?.(done.id);
      offerUndo({
        message: t("duplicated", { link: withoutScheme(done.shortLink) }),
        label: common("undo"),
        undo: () =>
          startTransition(async () => {
            const deleted = await run(() => actions.deleteLinks([done.id]));
            if (!deleted) return;
            leave?.();
            tellUndone(deleted.ids.length, []);
          }),
      });
    });
  }

  return { change, discard, duplicate };
}
