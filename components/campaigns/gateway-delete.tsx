import { useTranslations } from "next-intl";
import type { Removal } from "#components/forms/removal.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { Gateway, OpenCampaign } from "#lib/outreach/gateway-accounts/schema";

interface DeleteGatewayProps {
  gateway: Gateway;
  /** What still has to be sent with it. */
  campaigns: readonly OpenCampaign[];
  base: string;
  dialog: Removal<Gateway>["dialog"];
}

/** Asks before a gateway is deleted, or names the campaigns that need it. */
export function DeleteGateway({ gateway: { name }, campaigns, base, dialog }: DeleteGatewayProps) {
  const t = useTranslations("gateways");
  if (campaigns.length === 0) {
    return (
      <ConfirmDialog {...dialog} title={t("deleteTitle", { name })} action={t("deleteAction")}>
        {t("deleteText")}
      </ConfirmDialog>
    );
  }
  const { open, onOpenChange } = dialog;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t("inUseTitle", { name })} description={t("inUseText")}>
        <ul aria-label={t("inUseBy")} className="grid gap-1 text-sm">
          {campaigns.map(({ id, name: campaign, state }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <PrefetchLink
                href={`${base}/${id}/send`}
                className="min-w-0 truncate underline underline-offset-4"
              >
                {campaign}
              </PrefetchLink>
              <span className="shrink-0 text-ink-muted">{t(`states.${state}`)}</span>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
