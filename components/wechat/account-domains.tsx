import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useRef, useState } from "react";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent, DialogSubmit, DialogTrigger } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { InputField, SelectField } from "#components/ui/labeled";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import type { WechatDomain } from "#lib/audience/wechat-domains/schema";

export interface DomainChanges {
  put: FormAction<null>;
  remove: (slug: string) => Promise<FormAnswer<null>>;
  hosts: readonly string[];
}

interface AccountDomainsProps {
  account: { id: string; name: string };
  domains: readonly WechatDomain[];
  change: DomainChanges | null;
}

/** The JS-secure domains of an official account, with the files that WeChat uses to verify them. */
export function AccountDomains({ account, domains, change }: AccountDomainsProps) {
  const t = useTranslations("wechat.domains");
  const things = domains.map((domain) => ({ ...domain, id: domain.slug, name: domain.slug }));
  const { shown, ask, question } = useRemoval(things, change?.remove, {
    removed: (name) => t("removed", { name }),
    notRemoved: (name) => t("notRemoved", { name }),
  });
  return (
    <div className="grid gap-3">
      <h3 className="font-medium text-sm">{t("heading")}</h3>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="grid gap-2">
          {shown.map((domain) => (
            <li key={domain.slug} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <span className="min-w-0 break-all">{domain.slug}</span>
              {domain.callback ? <Badge>{t("isCallback")}</Badge> : null}
              {domain.file ? (
                <code className="min-w-0 break-all font-mono text-ink-muted text-xs">
                  {domain.file.name}
                </code>
              ) : null}
              {change ? (
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("removeNamed", { name: domain.slug })}
                  onClick={() => ask(domain)}
                >
                  {t("remove")}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="max-w-prose text-ink-muted text-sm">{t("none")}</p>
      )}
      {change ? <AddDomain account={account} change={change} /> : null}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("removeTitle", { name: question.thing.name })}
          action={t("remove")}
        >
          {t("removeText")}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function AddDomain({
  account: { id, name },
  change: { put, hosts },
}: {
  account: AccountDomainsProps["account"];
  change: DomainChanges;
}) {
  const t = useTranslations("wechat.domains");
  const [open, setOpen] = useState(false);
  if (hosts.length === 0) return null;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" className="justify-self-start" aria-label={t("addNamed", { name })}>
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("add")} description={t("addText")}>
        <DomainForm
          accountId={id}
          hosts={hosts}
          save={put}
          onDone={() => {
            setOpen(false);
            toast.success(t("saved"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

interface DomainFormProps {
  accountId: string;
  hosts: readonly string[];
  save: FormAction<null>;
  onDone: () => void;
}

/** The verification files of WeChat are shorter than this. */
const fileBytesMax = 1_000;

/** A domain of an official account, and the file that WeChat asks for, which can be chosen or typed in. */
function DomainForm({ accountId, hosts, save, onDone }: DomainFormProps) {
  const t = useTranslations("wechat.domains");
  const { form, pending, error, typed, field } = useForm(save, onDone);
  const nameRef = useRef<HTMLInputElement>(null);
  const contentRef = useRef<HTMLInputElement>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file || !nameRef.current || !contentRef.current) return;
    nameRef.current.value = file.name;
    contentRef.current.value = file.size > fileBytesMax ? "" : (await file.text()).trim();
  };
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <input type="hidden" name="accountId" value={accountId} />
      <SelectField
        {...field("slug", hosts[0])}
        label={t("domain")}
        options={hosts.map((value) => ({ value, label: value }))}
      />
      <Field label={t("file")} hint={t("fileHint")}>
        {(control) => (
          // Has no name, because the form only sends the file’s name and content, from the fields below.
          <Input
            {...control}
            type="file"
            accept=".txt,text/plain"
            className="py-1.5"
            onChange={choose}
          />
        )}
      </Field>
      <InputField
        {...field("fileName")}
        label={t("fileName")}
        ref={nameRef}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        placeholder="MP_verify_a1B2c3D4e5F6g7H8.txt"
      />
      <InputField
        {...field("fileContent")}
        label={t("fileContent")}
        ref={contentRef}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        placeholder="a1B2c3D4e5F6g7H8"
      />
      <Switch
        name="callback"
        value="1"
        label={t("callback")}
        hint={t("callbackHint")}
        defaultChecked={typed("callback") === "1"}
      />
      <DialogSubmit pending={pending}>{t("save")}</DialogSubmit>
    </form>
  );
}
