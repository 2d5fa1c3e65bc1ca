"use client";

import { CircleAlert, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import type { DestinationList } from "#lib/destinations/lists/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";

interface ListCardProps {
  list: DestinationList;
  problem: string | undefined;
  add: FormAction<null>;
  remove: (entry: string) => Promise<FormAnswer<null>>;
  saveSource: FormAction<null>;
  poll: () => Promise<FormAnswer<null>>;
}

export function ListCard({ list, problem, add, remove, saveSource, poll }: ListCardProps) {
  const t = useTranslations("destinations");
  const { kind, active } = list;
  return (
    <Card
      heading={t(kind)}
      note={t(`${kind}Note`)}
      aside={<Badge tone={active ? "green" : "gray"}>{t(active ? "active" : "inactive")}</Badge>}
    >
      <Entries entries={list.entries} remove={remove} />
      <AddForm add={add} />
      <SourceForm source={list.source} save={saveSource} />
      {list.source === null ? null : <SourceState list={list} problem={problem} poll={poll} />}
    </Card>
  );
}

function Entries({ entries, remove }: Pick<ListCardProps, "remove"> & { entries: string[] }) {
  const t = useTranslations("destinations");
  const runAction = useAction();
  const [pending, start] = useTransition();
  if (entries.length === 0) return <p className="text-ink-muted text-sm">{t("entriesEmpty")}</p>;
  const run = (entry: string) =>
    start(async () => {
      if (await runAction(() => remove(entry))) toast.success(t("removed", { entry }));
    });
  return (
    <ul
      aria-label={t("entries")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
      tabIndex={0}
      className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line"
    >
      {entries.map((entry) => (
        <li key={entry} className="flex items-center gap-2 py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 break-all">{entry}</span>
          <Button
            variant="ghost"
            size="icon"
            disabled={pending}
            aria-label={t("remove", { entry })}
            onClick={() => run(entry)}
          >
            <X aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AddForm({ add }: Pick<ListCardProps, "add">) {
  const t = useTranslations("destinations");
  const { form, pending, error, field } = useForm(add, () => toast.success(t("added")));
  return (
    <form {...form} className="grid gap-3">
      <FormError>{error}</FormError>
      <TextareaField
        {...field("entries")}
        label={t("add")}
        hint={t("addHint")}
        rows={3}
        spellCheck={false}
        autoComplete="off"
      />
      <div>
        <Button type="submit" pending={pending}>
          {t("add")}
        </Button>
      </div>
    </form>
  );
}

function SourceForm({
  source,
  save,
}: Pick<DestinationList, "source"> & { save: FormAction<null> }) {
  const t = useTranslations("destinations");
  const { form, pending, error, field } = useForm(save, () => toast.success(t("sourceSaved")));
  return (
    <form {...form} className="grid gap-3">
      <FormError>{error}</FormError>
      <InputField
        {...field("source", source ?? "")}
        label={t("source")}
        hint={t("sourceHint")}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/hosts.json"
      />
      <div>
        <Button type="submit" pending={pending}>
          {t("saveSource")}
        </Button>
      </div>
    </form>
  );
}

function SourceState({ list, problem, poll }: Pick<ListCardProps, "list" | "problem" | "poll">) {
  const t = useTranslations("destinations");
  const format = useFormatter();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const { kind, sourceEntries, polledAt, succeededAt } = list;
  const at = (moment: string) =>
    format.dateTime(new Date(moment), { dateStyle: "medium", timeStyle: "medium" });
  const run = () =>
    start(async () => {
      if (await runAction(poll)) toast.success(t("polled"));
    });
  return (
    <div className="grid gap-2 text-sm">
      {problem ? (
        <div className="grid gap-1 rounded-md bg-danger-soft px-3 py-2 text-danger">
          <p className="flex gap-2">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">{problem}</span>
          </p>
          <p>{t(kind === "allow" ? "keptAllow" : "keptBlock")}</p>
          {polledAt ? <p>{t("failed", { when: at(polledAt) })}</p> : null}
        </div>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="grid text-ink-muted">
          <span>{t("state", { count: sourceEntries })}</span>
          {succeededAt ? <span>{t("succeeded", { when: at(succeededAt) })}</span> : null}
        </p>
        <Button size="sm" pending={pending} onClick={run}>
          {t("poll")}
        </Button>
      </div>
    </div>
  );
}
