import { Gauge } from "lucide-react";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { QuotaName } from "#lib/tenancy/plans/schema";
import { quotaOf, readUsage } from "#lib/tenancy/quotas";

/** Says that nothing can be created on this page now, because a limit of the plan is reached. */
export async function QuotaNote({ scope, name }: { scope: WorkspaceScope; name: QuotaName }) {
  const limit = quotaOf(scope, name);
  if (limit === null) return null;
  const { [name]: usage } = await readUsage(scope);
  if ((usage.used ?? 0) < limit) return null;
  const [t, format] = await Promise.all([getTranslations("plans.quotaFull"), getFormatter()]);
  return (
    <p className="mb-5 flex gap-2 rounded-xl border border-line bg-sunken p-4 text-sm">
      <Gauge aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
      <span>
        {t(name, { limit: format.number(limit) })}{" "}
        <Link
          href={`/app/${scope.slug}/settings/plan`}
          className="rounded-xs underline underline-offset-2"
        >
          {t("more")}
        </Link>
      </span>
    </p>
  );
}
