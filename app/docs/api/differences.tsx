/** What differs from Dub on purpose: one table. */
import { getTranslations } from "next-intl/server";
import { Markdown } from "#components/site/markdown";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";

const rows = [
  "keys",
  "root",
  "deletion",
  "deepview",
  "query",
  "clicks",
  "sales",
  "programs",
  "addresses",
  "passwords",
  "images",
  "dates",
  "loops",
  "folders",
  "filters",
  "quotas",
  "bulk",
  "left",
  "lookAlikes",
  "unknown",
] as const;
const columns = ["subject", "dub", "fuxi"] as const;

export async function Differences() {
  const t = await getTranslations("reference.differences");
  return (
    <div className="mt-12">
      <h2 id="differences" className="font-medium text-lg">
        {t("title")}
      </h2>
      <p className="mt-2 mb-4 max-w-2xl text-ink-muted text-sm">{t("lead")}</p>
      <Table caption={t("title")}>
        <thead>
          <tr>
            <TableHead>{t("subject")}</TableHead>
            <TableHead>Dub</TableHead>
            <TableHead>Fuxi</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((name) => (
            <TableRow key={name}>
              {columns.map((column) => (
                <TableCell key={column} className="min-w-40 align-top">
                  <Markdown text={t(`rows.${name}.${column}`)} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
