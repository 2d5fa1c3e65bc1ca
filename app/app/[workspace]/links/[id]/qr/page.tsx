import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { withoutScheme } from "#components/links/names.ts";
import { ProgramCode } from "#components/qr/program-code";
import { Studio } from "#components/qr/studio";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import type { QrDesign } from "#lib/links/qr-design/schema";
import { listLogos, listTemplates } from "#lib/outreach/qr-templates";
import type { Logo } from "#lib/outreach/qr-templates/schema";
import { type PageOf, Texts } from "../../../../../pages.tsx";
import { drawCode, openLink } from "../open-link.ts";

export async function generateMetadata({ params }: PageOf<"workspace" | "id">): Promise<Metadata> {
  const { workspace, id } = await params;
  const [{ link }, t] = await Promise.all([openLink(workspace, id), getTranslations("qr")]);
  return { title: t("title", { link: withoutScheme(link.shortLink) }) };
}

/** After the link was moved, its logo may be missing here. */
function withListedLogo(design: QrDesign, logos: readonly Logo[]): QrDesign {
  const known = logos.some(({ id }) => id === design.logoId);
  return known ? design : { ...design, logoId: null };
}

export default async function StudioPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, link } = await openLink(workspace, id);
  const [t, templates, logos, picture] = await Promise.all([
    getTranslations("qr"),
    listTemplates(scope),
    listLogos(scope),
    drawCode(scope, link.id),
  ]);
  const name = withoutScheme(link.shortLink);
  const fileName = name.replace(/[^\p{L}\p{N}.-]+/gu, "-");
  return (
    <Texts of={["qr"]}>
      <BackLink href={`/app/${workspace}/links/${link.id}`}>
        <span className="break-all">{name}</span>
      </BackLink>
      <PageHead heading={t("heading")} note={t("lead")} />
      <Studio
        workspace={workspace}
        linkId={link.id}
        address={`${link.shortLink}?qr=1`}
        fileName={fileName}
        templates={templates}
        logos={logos}
        picture={picture}
        saved={link.qr ? withListedLogo(link.qr, logos) : null}
        mayWrite={scope.permissions.has("links.write")}
      />
      {link.insideApps?.open === "miniProgram" ? (
        <div className="mt-4 lg:mr-84">
          <ProgramCode workspace={workspace} linkId={link.id} name={fileName} />
        </div>
      ) : null}
    </Texts>
  );
}
