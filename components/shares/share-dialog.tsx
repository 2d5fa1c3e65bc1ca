"use client";

import { Lock, Share2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { CopyField } from "#components/ui/copy-field";
import { DataTable } from "#components/ui/data-table";
import { Dialog, DialogActions, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { type Share, shareDays, shareParts } from "#lib/analytics/shares/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";

export interface CreatedShare {
  name: string;
  address: string;
}

export interface ShareSubject {
  /** "workspace", or a kind and an id separated by a colon. */
  value: string;
  name: string;
}

export interface ShareDialogProps {
  shares: readonly Share[];
  /** The objects that can be shared from here; the first is the default. */
  subjects: readonly ShareSubject[];
  createShare: FormAction<CreatedShare>;
  showShare: (id: string) => Promise<FormAnswer<string>>;
  revokeShare: (id: string) => Promise<FormAnswer<null>>;
}

/** Creates share links, which show stats to people without an account, and lists the existing ones. */
export function ShareDialog(props: ShareDialogProps) {
  const { shares, subjects, createShare, showShare, revokeShare } = props;
  const t = useTranslations("shares");
  const { created, setCreated, dialog } = useCreated<CreatedShare>();
  const runAction = useAction();

  async function show({ id, name }: Share) {
    const shown = await runAction(() => showShare(id));
    if (shown) setCreated({ name, address: shown.done });
  }

  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button aria-label={t("share")}>
          <Share2 aria-hidden />
          <span className="hidden sm:inline">{t("share")}</span>
        </Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("title")}>
        <div className="grid gap-6">
          {created ? (
            <CreatedShareView
              key={created.address}
              created={created}
              onAnother={() => setCreated(undefined)}
            />
          ) : subjects.length > 0 ? (
            <ShareForm subjects={subjects} createShare={createShare} onMade={setCreated} />
          ) : null}
          <ShareList shares={shares} showShare={show} revokeShare={revokeShare} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

interface ShareFormProps extends Pick<ShareDialogProps, "subjects" | "createShare"> {
  onMade: (created: CreatedShare) => void;
}

function ShareForm({ subjects, createShare, onMade }: ShareFormProps) {
  const t = useTranslations("shares");
  const { form, pending, error, errorOf, typed, field } = useForm(createShare, onMade, {});
  return (
    <form {...form} className="grid gap-4">
      <p className="text-ink-muted text-sm">{t("lead")}</p>
      <FormError>{error}</FormError>
      <InputField
        {...field("name")}
        label={t("name")}
        hint={t("nameHint")}
        autoComplete="off"
        required
      />
      <SelectField
        label={t("subject")}
        name="subject"
        defaultValue={typed("subject", subjects[0]?.value)}
        options={subjects.map(({ value, name }) => ({ value, label: name }))}
      />
      <fieldset aria-describedby={errorOf("parts") ? "share-parts-error" : undefined}>
        <legend className="mb-2 font-medium text-sm">{t("parts")}</legend>
        <div className="grid grid-cols-2 gap-2">
          {shareParts.map((part) => (
            <Checkbox
              key={part}
              name="parts"
              value={part}
              label={t(`partNames.${part}`)}
              // Not shared by default, so that nobody shares revenue by accident.
              defaultChecked={part !== "conversions"}
            />
          ))}
        </div>
        <div className="mt-3 border-line border-t pt-3">
          <Checkbox name="annotations" value="on" label={t("annotations")} />
        </div>
        {errorOf("parts") ? (
          <p id="share-parts-error" className="mt-1.5 text-danger text-sm">
            {errorOf("parts")}
          </p>
        ) : null}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t("days")}
          name="daysMax"
          defaultValue={typed("daysMax", "all")}
          options={[
            ...shareDays.map((days) => ({ value: String(days), label: t("daysOf", { days }) })),
            { value: "all", label: t("daysAll") },
          ]}
        />
        <InputField {...field("endsAt")} label={t("end")} optional={t("optional")} type="date" />
      </div>
      <InputField
        label={t("password")}
        optional={t("optional")}
        hint={t("passwordHint")}
        error={errorOf("password")}
        name="password"
        type="password"
        autoComplete="new-password"
      />
      <DialogActions>
        <Button type="submit" variant="solid" pending={pending}>
          {t("create")}
        </Button>
      </DialogActions>
    </form>
  );
}

function CreatedShareView({
  created,
  onAnother,
}: {
  created: CreatedShare;
  onAnother: () => void;
}) {
  const t = useTranslations("shares");
  return (
    <div className="grid gap-4">
      <p className="text-ink-muted text-sm">{t("madeText")}</p>
      <CopyField
        label={t("addressOf", { name: created.name })}
        text={created.address}
        copy={t("copy")}
      />
      <DialogActions>
        <Button onClick={onAnother}>{t("another")}</Button>
      </DialogActions>
    </div>
  );
}

interface ShareListProps {
  shares: readonly Share[];
  showShare: (share: Share) => Promise<void>;
  revokeShare: (id: string) => Promise<FormAnswer<null>>;
}

function ShareList({ shares, showShare, revokeShare }: ShareListProps) {
  const t = useTranslations("shares");
  const { shown, ask, question } = useRemoval(shares, revokeShare, {
    removed: (name) => t("revoked", { name }),
    notRemoved: (name) => t("notRevoked", { name }),
  });

  return (
    // Not a section, because the table already is a region with this name.
    <div>
      <h3 className="mb-2 font-medium text-sm">{t("list")}</h3>
      {shown.length > 0 ? (
        <ShareTable shares={shown} onShow={showShare} onRevoke={ask} />
      ) : (
        <p className="text-ink-muted text-sm">{t("empty")}</p>
      )}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("revokeTitle", { name: question.thing.name })}
          action={t("revoke")}
        >
          {t("revokeText")}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

interface ShareTableProps {
  shares: readonly Share[];
  onShow: (share: Share) => Promise<void>;
  onRevoke: (share: Share) => void;
}

function ShareTable({ shares, onShow, onRevoke }: ShareTableProps) {
  const t = useTranslations("shares");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  return (
    <DataTable
      caption={t("list")}
      rows={shares}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-36",
          cell: ({ name, hasPassword, hasAddress, formerMember }) => (
            <>
              <span className="flex items-center gap-1.5 font-medium">
                <span className="truncate">{name}</span>
                {hasPassword ? (
                  <Lock aria-label={t("locked")} className="size-3.5 shrink-0 text-ink-muted" />
                ) : null}
              </span>
              {hasAddress ? null : (
                <span className="block text-ink-muted text-xs">{t("addressLost")}</span>
              )}
              {formerMember === null ? null : (
                <span className="text-ink-muted text-xs">
                  {formerMember === ""
                    ? t("formerAccount")
                    : t("formerMember", { name: formerMember })}
                </span>
              )}
            </>
          ),
        },
        {
          heading: t("subject"),
          cellClass: "text-ink-muted",
          cell: ({ kind }) => t(`kinds.${kind}`),
        },
        {
          heading: t("end"),
          cellClass: "text-ink-muted",
          cell: ({ endsAt }) => (endsAt ? day(endsAt) : t("noEnd")),
        },
        {
          heading: t("revoke"),
          silent: true,
          cellClass: "text-right",
          cell: (share) => (
            <span className="flex justify-end gap-1">
              {share.hasAddress ? (
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("showName", { name: share.name })}
                  onClick={() => void onShow(share)}
                >
                  {t("show")}
                </Button>
              ) : null}
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("revokeName", { name: share.name })}
                onClick={() => onRevoke(share)}
              >
                {t("revoke")}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}
