"use client";

import { Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, startTransition, useOptimistic, useState } from "react";
import { useAct } from "../forms/act.ts";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { AddressSearch } from "../shell/address-filter.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import { type Named, NamedDialog, type NamedFields } from "./named-dialog.tsx";

export interface NamedActs {
  save: FormAction<string>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface Column<Thing> {
  heading: string;
  headClass?: string;
  cellClass?: string;
  cell: (thing: Thing) => ReactNode;
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
  /** What is looked for, where one may look for something. */
  search?: Search;
  /** Those that the person may not change have no buttons. */
  isChangeable?: (thing: Thing) => boolean;
  /** What is lost with it. */
  loss: (thing: Thing) => string;
  /** Null: the person may only look. */
  acts: NamedActs | null;
}

/** A list of what a workspace keeps under names: made, changed and deleted where it stands. */
export function NamedManager<Thing extends Named>(props: NamedManagerProps<Thing>) {
  const { words, icon, things, columns, search, isChangeable, loss, acts, ...dialog } = props;
  const t = useTranslations();
  const [shown, hide] = useOptimistic(things, (before, id: string) =>
    before.filter((thing) => thing.id !== id),
  );
  const act = useAct();
  const [editing, setEditing] = useState<{ thing: Thing | null; open: boolean }>();
  const [deleting, setDeleting] = useState<{ thing: Thing; open: boolean }>();

  function remove({ id, name }: Thing) {
    if (!acts) return;
    startTransition(async () => {
      hide(id);
      const removed = await act(() => acts.remove(id), t(`${words}.notDeleted`, { name }));
      if (removed) toast.success(t(`${words}.deleted`, { name }));
    });
  }

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
                  isChangeable: isChangeable ?? (() => true),
                  edit: (thing) => setEditing({ thing, open: true }),
                  remove: (thing) => setDeleting({ thing, open: true }),
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
      {deleting ? (
        <ConfirmDialog
          open={deleting.open}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          title={t(`${words}.deleteTitle`, { name: deleting.thing.name })}
          action={t(`${words}.deleteAction`)}
          onConfirm={() => remove(deleting.thing)}
        >
          {loss(deleting.thing)}
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
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          {columns.map(({ heading, headClass }) => (
            <TableHead key={heading} className={headClass}>
              {heading}
            </TableHead>
          ))}
          {buttons ? (
            <TableHead>
              <span className="sr-only">{t("named.actions")}</span>
            </TableHead>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {things.map((thing) => (
          <TableRow key={thing.id}>
            {columns.map(({ heading, cellClass, cell }) => (
              <TableCell key={heading} className={cellClass}>
                {cell(thing)}
              </TableCell>
            ))}
            {buttons ? (
              <TableCell className="whitespace-nowrap text-right">
                {buttons.isChangeable(thing) ? (
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
                ) : null}
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

/** How many links something has, which are counted so far only. */
export function useLinkCount(countedMax: number): (links: number) => string {
  const t = useTranslations("named");
  const format = useFormatter();
  return (links) =>
    links > countedMax
      ? t("moreThan", { count: format.number(countedMax) })
      : t("linkCount", { count: links });
}
