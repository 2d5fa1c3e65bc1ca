"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import type { DeletedWorkspace } from "#lib/tenancy/workspaces/schema";

interface DeletedWorkspacesProps {
  workspaces: readonly DeletedWorkspace[];
  restore: (id: string) => Promise<FormAnswer<string>>;
}

/** Deleted workspaces that the person can restore; empty when there is none. */
export function DeletedWorkspaces({ workspaces, restore }: DeletedWorkspacesProps) {
  const t = useTranslations("workspaces");
  const runAction = useAction();
  const format = useFormatter();
  const [pending, start] = useTransition();
  if (workspaces.length === 0) return null;

  function run(id: string) {
    start(async () => {
      const restored = await runAction(() => restore(id));
      if (restored) loadPage(restored.done);
    });
  }

  return (
    <section className="mt-5 rounded-xl border border-line bg-surface p-5">
      <h2 className="font-semibold text-base">{t("deletedHeading")}</h2>
      <ul className="mt-2 divide-y divide-line">
        {workspaces.map(({ id, name, until }) => (
          <li key={id} className="flex items-center gap-3 py-2.5 last:pb-0">
            <div className="grid min-w-0 flex-1">
              <span className="truncate text-sm">{name}</span>
              <span className="text-ink-muted text-xs">
                {t("deletedUntil", {
                  when: format.dateTime(new Date(until), { dateStyle: "medium" }),
                })}
              </span>
            </div>
            <Button
              size="sm"
              pending={pending}
              aria-label={t("restoreName", { name })}
              onClick={() => run(id)}
            >
              {t("restore")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
