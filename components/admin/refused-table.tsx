import Link from "next/link";
import { useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { bareUrl } from "#lib/basics/urls/schema";
import type { RefusedLink } from "#lib/office/refused-links/schema";

interface RefusedTableProps {
  links: readonly RefusedLink[];
  /** Of the page. */
  path: string;
}

/** Links that the lists of the instance refuse, with their workspaces. */
export function RefusedTable({ links, path }: RefusedTableProps) {
  const t = useTranslations("admin.refused");
  return (
    <Table caption={t("title")}>
      <thead>
        <tr>
          <TableHead>{t("link")}</TableHead>
          <TableHead>{t("host")}</TableHead>
          <TableHead>{t("why")}</TableHead>
          <TableHead>{t("workspace")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {links.map(({ id, shortLink, host, list, workspace }) => (
          <TableRow key={id}>
            <TableCell>
              <Link href={`/admin/links/${id}`} className="underline underline-offset-2">
                {bareUrl(shortLink)}
              </Link>
            </TableCell>
            <TableCell>{host}</TableCell>
            <TableCell>{t(`why_${list}`)}</TableCell>
            <TableCell>
              <Link
                href={`${path}?workspace=${workspace.id}`}
                className="underline underline-offset-2"
              >
                {workspace.name}
              </Link>
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
