import { Webhook } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state";
import { WebhookManager } from "#components/webhooks/webhook-manager";
import { listDomains } from "#lib/links/hosts";
import { listWebhooks } from "#lib/outreach/webhooks";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { createWebhookAction } from "./actions.ts";

export const generateMetadata = titleOf("webhooks.heading");

export default async function WebhooksPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  if (!scope.permissions.has("webhooks.read")) {
    const t = await getTranslations("webhooks");
    return (
      <EmptyState icon={<Webhook aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const [webhooks, domains] = await Promise.all([listWebhooks(scope), listDomains(scope)]);
  return (
    <Texts of={["namePicker", "webhooks"]}>
      <WebhookManager
        workspace={workspace}
        webhooks={webhooks}
        hosts={domains.map(({ slug }) => slug)}
        href={`/app/${workspace}/settings/webhooks`}
        create={
          scope.permissions.has("webhooks.write") ? createWebhookAction.bind(null, workspace) : null
        }
      />
    </Texts>
  );
}
