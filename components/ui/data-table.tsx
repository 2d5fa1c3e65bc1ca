import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Table, TableCell, TableHead, TableRow } from "./table.tsx";

export interface Column<Row> {
  heading: string;
  /** The heading is only for screen readers. For columns of buttons, which have labels of their own. */
  silent?: boolean;
  /** Applies to both the heading and the cells. */
  className?: string;
  headClass?: string;
  cellClass?: string;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

export function DataTable<Row extends { id: string }>({
  caption,
  rows,
  columns,
}: DataTableProps<Row>) {
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          {columns.map(({ heading, silent, className, headClass }) => (
            <TableHead key={heading} className={classNames(className, headClass)}>
              {silent ? <span className="sr-only">{heading}</span> : heading}
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={row.id}>
            {columns.map(({ heading, className, cellClass, cell }) => (
              <TableCell key={heading} className={classNames(className, cellClass)}>
                {cell(row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
