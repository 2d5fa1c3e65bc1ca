"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { InputField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import type { SsoProvider } from "#lib/identity/sso-providers/schema";
import { AccessCard } from "./access-card.tsx";
import { CopyRow } from "./copy-row.tsx";
import { type DomainActions, DomainsCard } from "./domains-card.tsx";

interface SsoSettingsProps {
  workspace: string;
  provider: SsoProvider | null;
  save: FormAction<null>;
  remove: () => Promise<FormAnswer<null>>;
  saveAccess: FormAction<null>;
  domains: DomainActions;
}

export function SsoSettings({ workspace, provider, domains, ...actions }: SsoSettingsProps) {
  return (
    <div className="grid max-w-2xl gap-5">
      <ProviderCard
        key={provider?.id ?? ""}
        workspace={workspace}
        provider={provider}
        {...actions}
      />
      {provider ? (
        <>
          <DomainsCard domains={provider.domains} actions={domains} />
          <AccessCard
            key={JSON.stringify(provider.groupRoles)}
            access={provider}
            save={actions.saveAccess}
          />
        </>
      ) : null}
    </div>
  );
}

type ProviderCardProps = Pick<SsoSettingsProps, "workspace" | "provider" | "save" | "remove">;

function ProviderCard({ workspace, provider, save, remove }: ProviderCardProps) {
  const t = useTranslations("sso");
  const { form, pending, error, errorOf, field } = useForm(save, () => toast.success(t("saved")));
  const code = { autoComplete: "off", spellCheck: false, className: "font-mono" } as const;
  return (
    <Card heading={t("provider")} note={t(provider ? "providerNote" : "providerFirst")}>
      {provider ? (
        <dl className="grid gap-2 text-sm">
          <CopyRow label={t("callbackUrl")} text={provider.callbackUrl} copy={t("copyCallback")} />
          <CopyRow label={t("logoutUrl")} text={provider.logoutUrl} copy={t("copyLogout")} />
        </dl>
      ) : null}
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        <InputField
          {...field("name", provider?.name)}
          label={t("name")}
          hint={t("nameHint")}
          autoComplete="off"
          required
        />
        <InputField
          {...field("issuer", provider?.issuer)}
          {...code}
          label={t("issuer")}
          type="url"
          placeholder="https://login.example.com"
          required
        />
        <InputField
          {...field("clientId", provider?.clientId)}
          {...code}
          label={t("clientId")}
          required
        />
        <InputField
          {...code}
          label={t("secret")}
          hint={t(provider ? "secretKept" : "secretHint")}
          error={errorOf("secret")}
          name="secret"
          type="password"
        />
        <InputField
          {...field("scope", provider?.scope ?? "openid email profile")}
          {...code}
          label={t("scope")}
          hint={t("scopeHint")}
        />
        <InputField
          {...field("groupsClaim", provider?.groupsClaim ?? "groups")}
          {...code}
          label={t("groupsClaim")}
        />
        <FormSubmit pending={pending}>{t("save")}</FormSubmit>
      </form>
      {provider ? <ProviderTools workspace={workspace} remove={remove} /> : null}
    </Card>
  );
}

function ProviderTools({ workspace, remove }: Pick<ProviderCardProps, "workspace" | "remove">) {
  const t = useTranslations("sso");
  const run = useAction();
  const [pending, start] = useTransition();
  return (
    <div className="flex flex-wrap gap-2 border-line border-t pt-4">
      <Button asChild>
        <Link href={`/signin/sso?workspace=${workspace}`}>{t("tryIt")}</Link>
      </Button>
      <ConfirmButton
        className="text-danger"
        pending={pending}
        title={t("removeTitle")}
        question={t("removeText")}
        action={t("remove")}
        onConfirm={() =>
          start(async () => {
            if (await run(remove)) toast.success(t("removed"));
          })
        }
      >
        {t("remove")}
      </ConfirmButton>
    </div>
  );
}
