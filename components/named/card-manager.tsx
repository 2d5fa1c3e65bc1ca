"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { type Removal, useRemoval } from "#components/forms/removal.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { toast } from "#components/ui/toast";

interface CardThing {
  id: string;
  name: string;
}

interface CardManagerProps<Thing extends CardThing> {
  messages: "gateways" | "publicKeys" | "wechat";
  icon: ReactNode;
  things: readonly Thing[];
  card: (thing: Thing, onDelete: () => void) => ReactNode;
  /** The form that adds an entry; null if the list is read-only. */
  form: ((onDone: () => void) => ReactNode) | null;
  remove: ((id: string) => Promise<FormAnswer<null>>) | undefined;
  /** Replaces the usual question before an entry is deleted. */
  question?: (removal: Removal<Thing>) => ReactNode;
}

export function CardManager<Thing extends CardThing>(props: CardManagerProps<Thing>) {
  const { messages, icon, things, card, form, remove } = props;
  const t = useTranslations(messages);
  const { shown, ask, question } = useRemoval(things, remove, {
    removed: (name) => t("deleted", { name }),
    notRemoved: (name) => t("notDeleted", { name }),
  });
  const usualQuestion = ({ thing, dialog }: Removal<Thing>) => (
    <ConfirmDialog
      {...dialog}
      title={t("deleteTitle", { name: thing.name })}
      action={t("deleteAction")}
    >
      {t("deleteText")}
    </ConfirmDialog>
  );
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {form ? <AddDialog messages={messages} form={form} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="grid max-w-3xl gap-4">
          {shown.map((thing) => (
            <li key={thing.id}>{card(thing, () => ask(thing))}</li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={icon} title={t("emptyTitle")}>
          {t(form ? "emptyText" : "emptyReader")}
        </EmptyState>
      )}
      {question ? (props.question ?? usualQuestion)(question) : null}
    </>
  );
}

interface AddDialogProps {
  messages: CardManagerProps<CardThing>["messages"];
  form: (onDone: () => void) => ReactNode;
}

function AddDialog({ messages, form }: AddDialogProps) {
  const t = useTranslations(messages);
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("addTitle")} description={t("addText")}>
        {form(() => {
          setOpen(false);
          toast.success(t("added"));
        })}
      </DialogContent>
    </Dialog>
  );
}

interface CardToolsProps {
  messages: "gateways" | "wechat";
  name: string;
  form: (onDone: () => void) => ReactNode;
  onDelete: () => void;
}

export function CardTools({ messages, name, form, onDelete }: CardToolsProps) {
  const t = useTranslations(messages);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t("editNamed", { name })}
        onClick={() => setOpen(true)}
      >
        <Pencil aria-hidden />
        {t("edit")}
      </Button>
      <Button variant="ghost" size="sm" aria-label={t("deleteNamed", { name })} onClick={onDelete}>
        <Trash2 aria-hidden />
        {t("delete")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent side="right" title={t("editTitle", { name })}>
          {form(() => {
            setOpen(false);
            toast.success(t("saved"));
          })}
        </DialogContent>
      </Dialog>
    </>
  );
}
