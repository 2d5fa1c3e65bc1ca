import type { Metadata } from "next";
import { DomainView } from "#components/admin/domain-view";
import { PageHead } from "#components/shell/page-head";
import { viewDomain } from "#lib/office/views";
import { requireOperator } from "../../../access.ts";
import { type ObjectPageProps, orMissing } from "../../../objects.ts";
import { officeMetadata } from "../../../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("search");
}

export default async function OfficeDomainPage({ params }: ObjectPageProps) {
  const operator = await requireOperator();
  const { id } = await params;
  const domain = await orMissing(viewDomain(operator, id));
  return (
    <>
      <PageHead heading={domain.slug} />
      <DomainView domain={domain} />
    </>
  );
}
