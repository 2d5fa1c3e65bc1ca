"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Select } from "#components/ui/select";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { type FieldName, fieldNames, type Import } from "#lib/transfer/imports/schema";

/** In files with more columns, columns without a field are collapsed. */
const columnsShown = 12;
const noField = "none";

const usualFields: readonly FieldName[] = [
  "url",
  "key",
  "shortLink",
  "customShortLink",
  "domain",
  "title",
  "tagNames",
  "folder",
  "externalId",
  "comments",
  "description",
  "image",
  "expiresAt",
  "startsAt",
  "expiredUrl",
  "password",
  "maxClicks",
];

interface ColumnTableProps {
  shown: Import;
  onMapping: (mapping: (FieldName | null)[]) => void;
}

export function ColumnTable({ shown: { columns, mapping }, onMapping }: ColumnTableProps) {
  const t = useTranslations("imports");
  const [all, setAll] = useState(false);
  const options = useFieldOptions();
  const shown = columns.flatMap((column, at) => {
    const field = mapping[at] ?? null;
    return all || at < columnsShown || field !== null ? [{ ...column, at, field }] : [];
  });
  const hidden = columns.length - shown.length;

  /** A field has only one column, so choosing it here removes it from its previous column. */
  function choose(at: number, value: string) {
    const field = fieldNames.find((name) => name === value) ?? null;
    onMapping(
      columns.map((_, other) => {
        const before = mapping[other] ?? null;
        if (other === at) return field;
        return before === field ? null : before;
      }),
    );
  }

  return (
    <Card heading={t("columns")} note={t("columnsNote")}>
      <Table caption={t("columnsTable")}>
        <thead>
          <tr>
            <TableHead>{t("column")}</TableHead>
            <TableHead>{t("field")}</TableHead>
            <TableHead className="hidden sm:table-cell">{t("samples")}</TableHead>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, samples, at, field }) => (
            <TableRow key={at}>
              <TableCell className="max-w-40 truncate font-medium">{name}</TableCell>
              <TableCell>
                <Select
                  aria-label={t("fieldOf", { column: name })}
                  className="w-44"
                  options={options}
                  value={field ?? noField}
                  onValueChange={(value) => choose(at, value)}
                />
              </TableCell>
              <TableCell className="hidden max-w-80 truncate text-ink-muted sm:table-cell">
                {samples.slice(0, 3).join(" · ")}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {hidden > 0 ? (
        <Button className="justify-self-start" onClick={() => setAll(true)}>
          {t("showColumns", { count: hidden })}
        </Button>
      ) : null}
    </Card>
  );
}

function useFieldOptions() {
  const t = useTranslations("imports");
  const rest = fieldNames.filter((field) => !usualFields.includes(field));
  return [
    { value: noField, label: t("noField") },
    ...[...usualFields, ...rest].map((field) => ({ value: field, label: t(`fields.${field}`) })),
  ];
}
