import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { contactName } from "#components/contacts/contact-names.ts";
import { ContactView } from "#components/contacts/contact-view";
import { BackLink } from "#components/shell/back-link";
import { getContact } from "#lib/audience/contacts";
import { AppError } from "#lib/platform/errors";
import { type PageOf, Texts } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { eraseContactAction } from "../actions.ts";

const openContact = cache(async (workspace: string, id: string) => {
  const scope = await requireScope(workspace);
  try {
    return { scope, contact: await getContact(scope, id) };
  } catch (error) {
    if (error instanceof AppError && ["not_found", "forbidden"].includes(error.code)) notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: PageOf<"workspace" | "id">): Promise<Metadata> {
  const { workspace, id } = await params;
  return { title: contactName((await openContact(workspace, id)).contact) };
}

export default async function ContactPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, contact } = await openContact(workspace, id);
  const t = await getTranslations("contacts");
  const path = `/app/${workspace}/contacts`;
  const mayErase = scope.permissions.has("conversions.write");
  return (
    <Texts of={["contacts"]}>
      <BackLink href={path}>{t("heading")}</BackLink>
      <ContactView
        contact={contact}
        zone={scope.zone}
        path={path}
        erase={mayErase ? eraseContactAction.bind(null, workspace, contact.id) : null}
      />
    </Texts>
  );
}
