import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";

interface RowsProps {
  caption: string;
  columns: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
  /** Shown instead of an empty table. */
  empty: string;
}

/** A short table of a page of the back office. */
export function Rows({ caption, columns, rows, empty }: RowsProps) {
  const t = useTranslations("admin");
  if (rows.length === 0) return <p className="text-ink-muted text-sm">{empty}</p>;
  return (
    // The card around it has the name itself.
    <Table caption={t("tableOf", { name: caption })}>
      <thead>
        <tr>
          {columns.map((column) => (
            <TableHead key={column}>{column}</TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <TableRow key={id}>
            {cells.map((cell, at) => (
              <TableCell key={columns[at]} className="max-w-72 truncate">
                {cell}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
