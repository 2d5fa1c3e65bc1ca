"use client";

import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import type { FormAction } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { DataTable } from "#components/ui/data-table";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { toast } from "#components/ui/toast";
import { camelOf } from "#lib/basics/variants/schema";
import type { Webhook } from "#lib/outreach/webhooks/schema";
import { findEventType } from "#lib/tenancy/webhook-events/schema";
import { WebhookForm, WebhookSecret } from "./webhook-form.tsx";
import { WebhookStateBadge } from "./webhook-state.tsx";

export interface CreatedWebhook {
  id: string;
  secret: string | null;
}

interface WebhookManagerProps {
  workspace: string;
  webhooks: readonly Webhook[];
  hosts: readonly string[];
  href: string;
  create: FormAction<CreatedWebhook> | null;
}

export function WebhookManager(props: WebhookManagerProps) {
  const { webhooks, href, create } = props;
  const t = useTranslations("webhooks");
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {create ? <AddWebhook {...props} create={create} /> : null}
      </PageHead>
      {webhooks.length > 0 ? (
        <WebhookTable webhooks={webhooks} href={href} />
      ) : (
        <EmptyState
          icon={<WebhookIcon aria-hidden />}
          title={t("emptyTitle")}
          actions={
            <Button asChild>
              <a href="/docs/webhooks" target="_blank" rel="noreferrer">
                {t("guide")}
              </a>
            </Button>
          }
        >
          {t("emptyText")}
        </EmptyState>
      )}
    </>
  );
}

function WebhookTable({ webhooks, href }: Pick<WebhookManagerProps, "webhooks" | "href">) {
  const t = useTranslations("webhooks");
  const format = useFormatter();
  return (
    <DataTable
      caption={t("heading")}
      rows={webhooks}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-40 truncate font-medium sm:max-w-60",
          cell: ({ id, name }) => (
            <PrefetchLink href={`${href}/${id}`} className="hover:underline">
              {name}
            </PrefetchLink>
          ),
        },
        {
          heading: t("format"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: (webhook) => t(`formats.${webhook.format}`),
        },
        {
          heading: t("eventsLabel"),
          className: "hidden lg:table-cell",
          cellClass: "max-w-72 truncate text-ink-muted",
          cell: ({ events }) =>
            events
              .flatMap((type) => {
                const known = findEventType(type);
                return known ? t(`events.${camelOf(known)}`) : [];
              })
              .join(" · "),
        },
        {
          heading: t("waiting"),
          className: "hidden md:table-cell text-right",
          cellClass: "text-ink-muted tabular-nums",
          cell: ({ waiting }) => format.number(waiting),
        },
        { heading: t("state"), cell: (webhook) => <WebhookStateBadge webhook={webhook} /> },
      ]}
    />
  );
}

interface AddWebhookProps extends WebhookManagerProps {
  create: FormAction<CreatedWebhook>;
}

function AddWebhook({ workspace, hosts, href, create }: AddWebhookProps) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const { created, setCreated, dialog } = useCreated<CreatedWebhook>();
  const open = (id: string) => router.push(`${href}/${id}`);
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("create")}
        </Button>
      </DialogTrigger>
      {created?.secret ? (
        <DialogContent title={t("createdTitle")} description={t("createdText")}>
          <WebhookSecret secret={created.secret}>
            <Button variant="solid" onClick={() => open(created.id)}>
              {t("secretSaved")}
            </Button>
          </WebhookSecret>
        </DialogContent>
      ) : (
        <DialogContent side="right" title={t("createTitle")}>
          <WebhookForm
            workspace={workspace}
            hosts={hosts}
            save={create}
            onDone={(done) => {
              setCreated(done);
              if (done.secret !== null) return;
              dialog.onOpenChange(false);
              toast.success(t("created"));
              open(done.id);
            }}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}
