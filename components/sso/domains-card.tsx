import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { FormError } from "#components/ui/form-error";
import { InputField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import type { SsoDomain } from "#lib/identity/sso-providers/schema";
import { CopyRow } from "./copy-row.tsx";

export interface DomainActions {
  add: FormAction<null>;
  verify: (host: string) => Promise<FormAnswer<null>>;
  remove: (host: string) => Promise<FormAnswer<null>>;
}

interface DomainsCardProps {
  domains: readonly SsoDomain[];
  actions: DomainActions;
}

export function DomainsCard({ domains, actions }: DomainsCardProps) {
  const t = useTranslations("sso");
  const things = domains.map((domain) => ({ ...domain, id: domain.host, name: domain.host }));
  const { shown, ask, question } = useRemoval(things, actions.remove, {
    removed: (domain) => t("removedDomain", { domain }),
    notRemoved: (domain) => t("notRemovedDomain", { domain }),
  });
  return (
    <Card heading={t("domains")} note={t("domainsNote")}>
      {shown.length > 0 ? (
        <ul aria-label={t("domains")} className="grid gap-3">
          {shown.map((domain) => (
            <Domain
              key={domain.id}
              domain={domain}
              verify={actions.verify}
              onRemove={() => ask(domain)}
            />
          ))}
        </ul>
      ) : (
        <p className="text-ink-muted text-sm">{t("domainsEmpty")}</p>
      )}
      <AddDomain add={actions.add} />
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("removeDomainTitle", { domain: question.thing.host })}
          action={t("removeDomain")}
        >
          {t("removeDomainText")}
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

interface DomainProps {
  domain: SsoDomain;
  verify: DomainActions["verify"];
  onRemove: () => void;
}

function Domain({ domain: { host, proven, record }, verify, onRemove }: DomainProps) {
  const t = useTranslations("sso");
  const run = useAction();
  const [pending, start] = useTransition();
  const check = () =>
    start(async () => {
      if (await run(() => verify(host))) toast.success(t("domainVerified", { domain: host }));
    });
  return (
    <li className="grid gap-3 rounded-lg border border-line p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-48 break-all font-medium">{host}</span>
        <Badge tone={proven ? "green" : "yellow"}>{t(proven ? "verified" : "pending")}</Badge>
        {proven ? null : (
          <Button
            size="sm"
            pending={pending}
            aria-label={t("verifyNamed", { domain: host })}
            onClick={check}
          >
            {t("verify")}
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          aria-label={t("removeDomainNamed", { domain: host })}
          onClick={onRemove}
        >
          {t("removeDomain")}
        </Button>
      </div>
      {proven ? null : (
        <>
          <p className="text-ink-muted">{t("record")}</p>
          <dl className="grid gap-2">
            <CopyRow
              label={t("recordName")}
              text={record.name}
              copy={t("copyName", { domain: host })}
            />
            <CopyRow
              label={t("recordValue")}
              text={record.value}
              copy={t("copyValue", { domain: host })}
            />
          </dl>
        </>
      )}
    </li>
  );
}

function AddDomain({ add }: { add: FormAction<null> }) {
  const t = useTranslations("sso");
  const { form, pending, error, field } = useForm(add, () => undefined);
  return (
    <form {...form} className="grid gap-3">
      <FormError>{error}</FormError>
      <div className="flex flex-wrap items-end gap-2">
        <InputField
          {...field("host")}
          label={t("domain")}
          autoComplete="off"
          spellCheck={false}
          placeholder="example.com"
          outerClass="min-w-48 flex-1"
          required
        />
        <Button type="submit" pending={pending}>
          {t("addDomain")}
        </Button>
      </div>
    </form>
  );
}
