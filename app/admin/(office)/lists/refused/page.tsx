import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { RefusedActions } from "#components/admin/refused-actions";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { bareUrl } from "#lib/basics/urls/schema";
import { findRefusedJob, listRefused } from "#lib/office/refused-links";
import {
  type RefusedLink,
  type RefusedQuery,
  refusedQuery,
} from "#lib/office/refused-links/schema";
import { AppError } from "#lib/platform/errors";
import { type PageQuery, Texts } from "../../../../pages.tsx";
import { requireOperator } from "../../../access.ts";
import { officeTitle } from "../../../title.ts";
import { disableRefusedLinksAction } from "../actions.ts";

const texts = ["admin.refused"];
const path = "/admin/lists/refused";

export const generateMetadata = officeTitle("lists");

export default async function RefusedPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const parsed = refusedQuery.safeParse(await searchParams);
  const query: RefusedQuery = parsed.success ? parsed.data : {};
  const [nav, t, page, job] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.refused"),
    listRefused(operator, query).catch(noneIfWrong),
    findRefusedJob(operator),
  ]);
  const { links, checked, next } = page;
  const { workspace = "" } = query;
  return (
    <>
      <BackLink href="/admin/lists">{nav("lists")}</BackLink>
      <PageHead heading={t("title")} note={t("note")} />
      <Texts of={texts}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <RefusedActions
            job={job ?? null}
            disable={disableRefusedLinksAction.bind(null, workspace)}
            whole={workspace === ""}
          />
          {workspace === "" ? null : (
            <p className="text-sm">
              {t("filtered", { workspace })}{" "}
              <Link href={path} className="underline underline-offset-2">
                {t("showAll")}
              </Link>
            </p>
          )}
          <p role="status" className="text-ink-muted text-sm">
            {t("found", { found: links.length, count: checked })}
          </p>
          {links.length > 0 ? (
            <RefusedTable links={links} path={path} />
          ) : (
            <EmptyState icon={<CircleCheck aria-hidden />} title={t("emptyTitle")}>
              {t(next ? "emptyMore" : "emptyText")}
            </EmptyState>
          )}
          {next ? (
            <div>
              <Button asChild>
                <Link href={`${path}?${addressOf(query, next)}`}>{t("more")}</Link>
              </Button>
            </div>
          ) : null}
        </div>
      </Texts>
    </>
  );
}

function addressOf({ workspace }: RefusedQuery, startingAfter: string): URLSearchParams {
  return new URLSearchParams({ ...(workspace ? { workspace } : {}), startingAfter });
}

/** An invalid URL shows an empty list. */
function noneIfWrong(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  return { links: [], checked: 0, next: null };
}

function RefusedTable({ links, path }: { links: readonly RefusedLink[]; path: string }) {
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
