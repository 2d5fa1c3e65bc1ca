"use client";

import { Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { LockBox, useLocked } from "#components/plans/locked";
import { PageHead } from "#components/shell/page-head";
import { UrlSearch } from "#components/shell/url-filters";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { type Column, DataTable } from "#components/ui/data-table";
import { Dialog, DialogContent, DialogSubmit } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { FormError } from "#components/ui/form-error";
import { InputField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import type { Capability } from "#lib/tenancy/plans/schema";

export interface NamedActions {
  save: FormAction<string>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface Search {
  text: string;
  label: string;
  nothingTitle: string;
  nothingText: string;
}

interface NamedManagerProps<Thing extends NamedThing> extends NamedFields<Thing> {
  icon: ReactNode;
  things: readonly Thing[];
  columns: readonly Column<Thing>[];
  search?: Search;
  /** Objects that the person may not change have no buttons. */
  isChangeable?: (thing: Thing) => boolean;
  loss: (thing: Thing) => string;
  actions: NamedActions | null;
  capability?: Capability;
}

export function NamedManager<Thing extends NamedThing>(props: NamedManagerProps<Thing>) {
  const { messages, icon, things, columns, search, loss, actions, ...rest } = props;
  const { isChangeable = () => true, capability, ...dialog } = rest;
  const t = useTranslations();
  const { shown, ask, question } = useRemoval(things, actions?.remove, {
    removed: (name) => t(`${messages}.deleted`, { name }),
    notRemoved: (name) => t(`${messages}.notDeleted`, { name }),
  });
  const [editing, setEditing] = useState<{ thing: Thing | null; open: boolean }>();

  return (
    <>
      <NamedHead
        messages={messages}
        capability={capability}
        create={actions ? () => setEditing({ thing: null, open: true }) : null}
      />
      {search && (things.length > 0 || search.text !== "") ? (
        <UrlSearch
          label={search.label}
          placeholder={search.label}
          searching={t("named.searching")}
        />
      ) : null}
      {shown.length > 0 ? (
        <NamedTable
          caption={t(`${messages}.heading`)}
          things={shown}
          columns={columns}
          buttons={
            actions
              ? { isChangeable, edit: (thing) => setEditing({ thing, open: true }), remove: ask }
              : null
          }
        />
      ) : (
        <EmptyList messages={messages} icon={icon} search={search} />
      )}
      {editing && actions ? (
        <NamedDialog
          {...dialog}
          messages={messages}
          key={editing.thing?.id ?? "new"}
          thing={editing.thing}
          save={actions.save}
          open={editing.open}
          onOpenChange={(open) => setEditing({ ...editing, open })}
        />
      ) : null}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t(`${messages}.deleteTitle`, { name: question.thing.name })}
          action={t(`${messages}.deleteAction`)}
        >
          {loss(question.thing)}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface NamedHeadProps {
  messages: NamedFields<NamedThing>["messages"];
  capability: Capability | undefined;
  create: (() => void) | null;
}

function NamedHead({ messages, capability, create }: NamedHeadProps) {
  const t = useTranslations();
  const isLocked = useLocked(capability);
  return (
    <>
      <PageHead heading={t(`${messages}.heading`)} note={t(`${messages}.note`)}>
        {create && !isLocked ? (
          <Button variant="solid" onClick={create}>
            <Plus aria-hidden />
            {t(`${messages}.create`)}
          </Button>
        ) : null}
      </PageHead>
      {create && capability ? <LockBox capability={capability} className="mb-4" /> : null}
    </>
  );
}

type EmptyListProps = Pick<NamedManagerProps<NamedThing>, "messages" | "icon"> & {
  search: Search | undefined;
};

function EmptyList({ messages, icon, search }: EmptyListProps) {
  const t = useTranslations();
  return search?.text ? (
    <EmptyState icon={<SearchX aria-hidden />} title={search.nothingTitle}>
      {search.nothingText}
    </EmptyState>
  ) : (
    <EmptyState icon={icon} title={t(`${messages}.emptyTitle`)}>
      {t(`${messages}.emptyText`)}
    </EmptyState>
  );
}

interface NamedTableProps<Thing extends NamedThing> {
  caption: string;
  things: readonly Thing[];
  columns: readonly Column<Thing>[];
  buttons: {
    isChangeable: (thing: Thing) => boolean;
    edit: (thing: Thing) => void;
    remove: (thing: Thing) => void;
  } | null;
}

function NamedTable<Thing extends NamedThing>({
  caption,
  things,
  columns,
  buttons,
}: NamedTableProps<Thing>) {
  const t = useTranslations();
  const actions: Column<Thing> = {
    heading: t("named.actions"),
    silent: true,
    cellClass: "whitespace-nowrap text-right",
    cell: (thing) =>
      buttons?.isChangeable(thing) ? (
        <>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`${t("common.edit")}: ${thing.name}`}
            onClick={() => buttons.edit(thing)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`${t("common.delete")}: ${thing.name}`}
            onClick={() => buttons.remove(thing)}
          >
            <Trash2 aria-hidden />
          </Button>
        </>
      ) : null,
  };
  return (
    <DataTable
      caption={caption}
      rows={things}
      columns={buttons ? [...columns, actions] : columns}
    />
  );
}

export function useLinkCount(countedMax: number): (links: number) => string {
  const t = useTranslations("named");
  const format = useFormatter();
  return (links) =>
    links > countedMax
      ? t("moreThan", { count: format.number(countedMax) })
      : t("linkCount", { count: links });
}

interface NamedThing {
  id: string;
  name: string;
}

/** The message namespace of the object. */
type NamedMessages = "tags" | "folders" | "forms" | "utm";

export type FormFields = Pick<ReturnType<typeof useForm<string>>, "errorOf" | "typed">;

interface NamedFields<Thing extends NamedThing> {
  messages: NamedMessages;
  nameHint?: string;
  fields: (thing: Thing | null, form: FormFields) => ReactNode;
}

interface NamedDialogProps<Thing extends NamedThing> extends NamedFields<Thing> {
  thing: Thing | null;
  save: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function NamedDialog<Thing extends NamedThing>({
  messages,
  nameHint,
  fields,
  thing,
  save,
  open,
  onOpenChange,
}: NamedDialogProps<Thing>) {
  const t = useTranslations();
  const { form, pending, error, errorOf, typed, field } = useForm(save, (name) => {
    onOpenChange(false);
    toast.success(t(thing ? `${messages}.changed` : `${messages}.created`, { name }));
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        side="right"
        title={t(thing ? `${messages}.editTitle` : `${messages}.createTitle`)}
      >
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          {thing ? <input type="hidden" name="id" value={thing.id} /> : null}
          <InputField
            {...field("name", thing?.name)}
            label={t(`${messages}.name`)}
            {...(thing && nameHint ? { hint: nameHint } : {})}
            autoComplete="off"
            autoFocus
            required
          />
          {fields(thing, { errorOf, typed })}
          <DialogSubmit pending={pending}>
            {thing ? t("common.save") : t(`${messages}.create`)}
          </DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}
