import { ChevronLeft } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { getSeries, getTotals } from "#lib/analytics";
import { interval as intervalSchema, intervals } from "#lib/analytics/schema";
import { AppError } from "#lib/errors";
import { getLink } from "#lib/links";
import { Figures } from "../../../../../components/links/figures.tsx";
import { KeepFresh } from "../../../../../components/links/keep-fresh.tsx";
import { LinkDetails } from "../../../../../components/links/link-details.tsx";
import { LinkHead } from "../../../../../components/links/link-head.tsx";
import { withoutScheme } from "../../../../../components/links/names.ts";
import { SeriesCard } from "../../../../../components/links/series-card.tsx";
import { NearLink } from "../../../../../components/shell/near-link.tsx";
import { requireScope } from "../../../seat.ts";
import { deleteLinkAction, editLinkAction } from "../actions.ts";

interface LinkPageProps {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const openLink = cache(async (workspace: string, id: string) => {
  const scope = await requireScope(workspace);
  try {
    return { scope, ...(await getLink(scope, id)) };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: LinkPageProps): Promise<Metadata> {
  const { workspace, id } = await params;
  const { link } = await openLink(workspace, id);
  return { title: withoutScheme(link.shortLink) };
}

export default async function LinkPage({ params, searchParams }: LinkPageProps) {
  const { workspace, id } = await params;
  const asked = intervalSchema.safeParse((await searchParams)["interval"]);
  const interval = asked.data ?? "30d";
  const { scope, pk, link } = await openLink(workspace, id);
  const [t, points, totals] = await Promise.all([
    getTranslations("linkPage"),
    getSeries(scope, pk, interval),
    getTotals(scope, pk),
  ]);
  const listHref = `/app/${workspace}/links`;
  return (
    <>
      <NearLink
        href={listHref}
        className="mb-3 inline-flex h-7 items-center gap-1 rounded-sm text-ink-muted text-sm hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        {t("back")}
      </NearLink>
      <LinkHead
        link={link}
        listHref={listHref}
        editLink={editLinkAction.bind(null, workspace)}
        deleteLink={deleteLinkAction.bind(null, workspace)}
      />
      <div className="grid gap-5">
        <Figures totals={totals} />
        <SeriesCard points={points} interval={interval} intervals={intervals} zone={scope.zone} />
        <LinkDetails link={link} />
      </div>
      <KeepFresh />
    </>
  );
}
