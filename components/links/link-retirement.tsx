"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

interface LinkRetirementProps {
  /** ISO 8601; null: never. */
  retiresAt: string | null;
  own: boolean;
  /** The link may be in print, so it never retires by default. */
  printed: boolean;
  retiredAt: string | null;
  deletedAt: string | null;
  choose: ((choice: "keep" | "default") => Promise<FormAnswer<null>>) | null;
}

/** When a link retires, and the choice to keep it. Renders nothing for a link that never retires by default. */
export function LinkRetirement(props: LinkRetirementProps) {
  const { retiresAt, own, printed, retiredAt, choose } = props;
  const t = useTranslations("retirement");
  const runAction = useAction();
  const [pending, start] = useTransition();
  if (!retiredAt && !retiresAt && !own && !printed) return null;
  const run = (choice: "keep" | "default") =>
    start(async () => {
      if (choose && (await runAction(() => choose(choice)))) toast.success(t("changed"));
    });
  const isKept = retiresAt === null && !retiredAt;
  return (
    <section
      aria-label={t("heading")}
      className="mb-4 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface p-3 text-sm"
    >
      <p role="status" className="mr-auto">
        <RetirementText {...props} />
      </p>
      {choose && !isKept ? (
        <Button size="sm" pending={pending} onClick={() => run("keep")}>
          {t(retiredAt ? "bringBack" : "keep")}
        </Button>
      ) : null}
      {choose && own && !retiredAt ? (
        <Button size="sm" variant="ghost" pending={pending} onClick={() => run("default")}>
          {t("useDefault")}
        </Button>
      ) : null}
    </section>
  );
}

function RetirementText({ retiresAt, own, printed, retiredAt, deletedAt }: LinkRetirementProps) {
  const t = useTranslations("retirement");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  if (retiredAt && deletedAt) {
    return t("retiredOn", { retired: day(retiredAt), deleted: day(deletedAt) });
  }
  if (!retiresAt) return t(printed && !own ? "printed" : "keptForever");
  return t(own ? "retiresOn" : "retiresUnlessVisited", { date: day(retiresAt) });
}
