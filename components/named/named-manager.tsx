"use client";

import { Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { useRemoval } from "../forms/removal.ts";
import { AddressSearch } from "../shell/address-filter.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { type Named, NamedDialog, type NamedFields } from "./named-dialog.tsx";

export interface NamedActs {
  save: FormAction<string>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface Search {
  text: string;
  label: string;
  nothingTitle: string;
  nothingText: string;
}

interface NamedManagerProps<Thing extends Named> extends NamedFields<Thing> {
  icon: ReactNode;
  things: readonly Thing[];
  columns: readonly Column<Thing>[];
  /** The search field, if there is one. */
  search?: Search;
  /** Objects without permission have no buttons. */
  isChangeable?: (thing: Thing) => boolean;
  /** What is lost by deleting it. */
  loss: (thing: Thing) => string;
  /** Null: read-only. */
  acts: NamedActs | null;
}

/** A list of objects with names: created, edited and deleted in place. */
export function NamedManager<Thing extends Named>(props: NamedManagerProps<Thing>) {
  const { words, icon, things, columns, search, loss, acts, ...rest } = props;
  const { isChangeable = () => true, ...dialog } = rest;
  const t = useTranslations();
  const { shown, ask, question } = useRemoval(things, acts?.remove, {
    removed: (name) => t(`${words}.deleted`, { name }),
    notRemoved: (name) => t(`${words}.notDeleted`, { name }),
  });
  const [editing, setEditing] = useState<{ thing: Thing | null; open: boolean }>();

  return (
    <>
      <PageHead heading={t(`${words}.heading`)} note={t(`${words}.note`)}>
        {acts ? (
          <Button look="solid" onClick={() => setEditing({ thing: null, open: true })}>
            <Plus aria-hidden />
            {t(`${words}.create`)}
          </Button>
        ) : null}
      </PageHead>
      {search && (things.length > 0 || search.text !== "") ? (
        <AddressSearch
          label={search.label}
          placeholder={search.label}
          searching={t("named.searching")}
        />
      ) : null}
      {shown.length > 0 ? (
        <NamedTable
          caption={t(`${words}.heading`)}
          things={shown}
          columns={columns}
          buttons={
            acts
              ? {
                  isChangeable,
                  edit: (thing) => setEditing({ thing, open: true }),
                  remove: ask,
                }
              : null
          }
        />
      ) : (
        <Nothing words={words} icon={icon} search={search} />
      )}
      {editing && acts ? (
        <NamedDialog
          {...dialog}
          words={words}
          key={editing.thing?.id ?? "new"}
          thing={editing.thing}
          save={acts.save}
          open={editing.open}
          onOpenChange={(open) => setEditing({ ...editing, open })}
        />
      ) : null}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t(`${words}.deleteTitle`, { name: question.thing.name })}
          action={t(`${words}.deleteAction`)}
        >
          {loss(question.thing)}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

type NothingProps = Pick<NamedManagerProps<Named>, "words" | "icon"> & {
  search: Search | undefined;
};

function Nothing({ words, icon, search }: NothingProps) {
  const t = useTranslations();
  return search?.text ? (
    <EmptyState icon={<SearchX aria-hidden />} title={search.nothingTitle}>
      {search.nothingText}
    </EmptyState>
  ) : (
    <EmptyState icon={icon} title={t(`${words}.emptyTitle`)}>
      {t(`${words}.emptyText`)}
    </EmptyState>
  );
}

interface NamedTableProps<Thing extends Named> {
  caption: string;
  things: readonly Thing[];
  columns: readonly Column<Thing>[];
  buttons: {
    isChangeable: (thing: Thing) => boolean;
    edit: (thing: Thing) => void;
    remove: (thing: Thing) => void;
  } | null;
}

function NamedTable<Thing extends Named>({
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
            look="ghost"
            size="icon"
            aria-label={`${t("common.edit")}: ${thing.name}`}
            onClick={() => buttons.edit(thing)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            look="ghost"
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

/** Formats a number of links that is counted only up to a maximum. */
export function useLinkCount(countedMax: number): (links: number) => string {
  const t = useTranslations("named");
  const format = useFormatter();
  return (links) =>
    links > countedMax
      ? t("moreThan", { count: format.number(countedMax) })
      : t("linkCount", { count: links });
}
