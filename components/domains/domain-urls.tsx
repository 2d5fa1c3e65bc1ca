"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import type { DomainView } from "#lib/links/domains/schema";
import { InputField } from "../ui/labeled.tsx";

const fields = ["placeholder", "notFoundUrl", "expiredUrl"] as const;
type UrlValues = Pick<DomainView, (typeof fields)[number]>;

export function DomainUrls({ domain, save }: { domain: UrlValues; save: FormAction<null> | null }) {
  const t = useTranslations("domains");
  return (
    <Card heading={t("addresses")} note={t("addressesNote")}>
      {save ? (
        <UrlForm domain={domain} save={save} />
      ) : (
        <dl className="grid gap-3 text-sm">
          {fields.map((name) => (
            <div key={name} className="grid gap-0.5">
              <dt className="text-ink-muted">{t(`fields.${name}`)}</dt>
              <dd className="break-all">{domain[name] ?? t("ownPage")}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function UrlForm({ domain, save }: { domain: UrlValues; save: FormAction<null> }) {
  const t = useTranslations("domains");
  const common = useTranslations("common");
  const { form, pending, error, field } = useForm(save, () => toast.success(common("saved")));
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      {fields.map((name) => (
        <InputField
          {...field(name, domain[name] ?? "")}
          key={name}
          label={t(`fields.${name}`)}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder={t("ownPage")}
        />
      ))}
      <FormSubmit pending={pending}>{common("save")}</FormSubmit>
    </form>
  );
}
