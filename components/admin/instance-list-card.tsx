"use client";

import { CircleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import type { InstanceList, InstanceListKind } from "#lib/destinations/lists/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";

interface InstanceListCardProps {
  list: InstanceList;
  problem: string | undefined;
  change: FormAction<null>;
  poll: () => Promise<FormAnswer<null>>;
}

export function InstanceListCard({ list, problem, change, poll }: InstanceListCardProps) {
  const t = useTranslations("admin.lists");
  const { kind, active, entries } = list;
  return (
    <Card
      heading={t(kind)}
      note={t(`${kind}Note`)}
      aside={<Badge tone={active ? "green" : "gray"}>{t(active ? "active" : "inactive")}</Badge>}
    >
      {problem ? (
        <p className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{problem}</span>
        </p>
      ) : null}
      {entries.length > 0 ? (
        <ul
          aria-label={t(`${kind}Entries`)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
          tabIndex={0}
          className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line text-sm"
        >
          {entries.map((entry) => (
            <li key={entry} className="break-all px-3 py-1.5">
              {entry}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-muted text-sm">{t("empty")}</p>
      )}
      {list.source === null ? null : <Source list={list} poll={poll} />}
      <ChangeForm kind={kind} change={change} />
    </Card>
  );
}

function Source({ list, poll }: Pick<InstanceListCardProps, "list" | "poll">) {
  const t = useTranslations("admin.lists");
  const format = useFormatter();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const { kind, source, sourceEntries, succeededAt } = list;
  const run = () =>
    start(async () => {
      if (await runAction(poll)) toast.success(t("polled"));
    });
  return (
    <div className="grid justify-items-start gap-2">
      <p className="break-all text-ink-muted text-sm">
        {t("source", { source: source ?? "", count: sourceEntries })}{" "}
        {succeededAt === null
          ? t("neverRead")
          : t("lastRead", {
              at: format.dateTime(new Date(succeededAt), {
                dateStyle: "medium",
                timeStyle: "short",
              }),
            })}
      </p>
      <Button size="sm" pending={pending} onClick={run}>
        {t(`${kind}Poll`)}
      </Button>
    </div>
  );
}

function ChangeForm({
  kind,
  change,
}: Pick<InstanceListCardProps, "change"> & { kind: InstanceListKind }) {
  const t = useTranslations("admin.lists");
  const { form, pending, error, field } = useForm(change, () => toast.success(t("saved")));
  return (
    <form {...form} className="grid gap-3">
      <FormError>{error}</FormError>
      {(["add", "remove"] as const).map((name) => (
        <TextareaField
          {...field(name)}
          key={name}
          label={t(name)}
          hint={t(`${name}Hint`)}
          rows={2}
          spellCheck={false}
          autoComplete="off"
        />
      ))}
      <InputField {...field("reason")} label={t("reason")} autoComplete="off" />
      <div>
        <Button type="submit" pending={pending}>
          {t(`${kind}Save`)}
        </Button>
      </div>
    </form>
  );
}
