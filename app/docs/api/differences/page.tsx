import { getTranslations } from "next-intl/server";
import { DocsPage } from "#components/docs/docs-page";
import { Markdown } from "#components/site/markdown";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { titleOf } from "../../../pages.tsx";

export const generateMetadata = titleOf("reference.differences.title");

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
  "disabled",
  "anonymous",
  "domainStatus",
  "workspaces",
  "utm",
  "ownFields",
  "trackClick",
  "trackOpen",
  "leadModes",
  "trackLeads",
] as const;
const columns = ["subject", "dub", "fuxi"] as const;

export default async function DifferencesPage() {
  const t = await getTranslations("reference.differences");
  return (
    <DocsPage>
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-3 mb-6 max-w-2xl text-ink-muted">{t("lead")}</p>
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
    </DocsPage>
  );
}
