import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { RefusedActions } from "#components/admin/refused-actions";
import { RefusedTable } from "#components/admin/refused-table";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { findRefusedJob, listRefused } from "#lib/office/refused-links";
import { type RefusedQuery, refusedQuery } from "#lib/office/refused-links/schema";
import { AppError } from "#lib/platform/errors";
import { Texts } from "../../../../texts.tsx";
import { requireOperator } from "../../../access.ts";
import { officeMetadata } from "../../../title.ts";
import { disableRefusedLinksAction } from "../actions.ts";

const texts = ["admin.refused"];
const path = "/admin/lists/refused";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("lists");
}

interface RefusedPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RefusedPage({ searchParams }: RefusedPageProps) {
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

/** A wrong address shows an empty list. */
function noneIfWrong(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  return { links: [], checked: 0, next: null };
}
