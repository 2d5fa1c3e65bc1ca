import type { Metadata } from "next";
import { LinkView } from "#components/admin/link-view";
import { PageHead } from "#components/shell/page-head";
import { bareUrl } from "#lib/basics/urls/schema";
import { viewLink } from "#lib/office/views";
import { requireOperator } from "../../../access.ts";
import { type ObjectPageProps, orMissing } from "../../../objects.ts";
import { officeMetadata } from "../../../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("search");
}

export default async function OfficeLinkPage({ params }: ObjectPageProps) {
  const operator = await requireOperator();
  const { id } = await params;
  const link = await orMissing(viewLink(operator, id));
  return (
    <>
      <PageHead heading={bareUrl(link.link.shortLink)} />
      <LinkView link={link} />
    </>
  );
}
