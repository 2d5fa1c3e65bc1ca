"use client";

import { Share2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { CopyField } from "#components/ui/copy-field";
import { DialogActions } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { Sheet, SheetContent, SheetTrigger } from "#components/ui/sheet";
import { type Share, shareDays, shareParts } from "#lib/analytics/shares/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { ShareList } from "./share-list.tsx";

/** The complete URL of a share, after its creation or shown again. */
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
    <Sheet {...dialog}>
      <SheetTrigger asChild>
        <Button aria-label={t("share")}>
          <Share2 aria-hidden />
          <span className="hidden sm:inline">{t("share")}</span>
        </Button>
      </SheetTrigger>
      <SheetContent title={t("title")} className="sm:max-w-lg">
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
      </SheetContent>
    </Sheet>
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
              // Nobody shares revenue by accident.
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
