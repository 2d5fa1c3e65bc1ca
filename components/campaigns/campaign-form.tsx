"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Choice } from "#components/ui/choice";
import { FormError } from "#components/ui/form-error";
import { useIsWide } from "#components/ui/use-wide.ts";
import type { CampaignDraft } from "./campaign-draft.ts";
import { ColumnsPart } from "./columns-part.tsx";
import { DraftField } from "./draft-fields.tsx";
import type { CampaignPartProps } from "./form-parts.ts";
import { LinksPart } from "./links-part.tsx";
import { MessagePart } from "./message-part.tsx";
import { MessagePreview } from "./message-preview.tsx";
import type { SampleLinks } from "./preview-text.ts";
import { PricesPart, SenderPart } from "./sender-part.tsx";

interface CampaignFormProps {
  workspace: string;
  draft: CampaignDraft;
  change: (changes: Partial<CampaignDraft>) => void;
  /** The request body. */
  body: Record<string, unknown>;
  /** The edited campaign; omitted: a new one. */
  id?: string;
  /** It has recipients: only its name and the days of personal data can change. */
  isFixed?: boolean;
  links: SampleLinks;
  /** Above the fields. */
  notice: ReactNode;
  action: FormAction<{ id: string }>;
  onDone: (done: { id: string }) => void;
}

/** All fields of a campaign in the order in which they build on each other, and the message next to them. */
export function CampaignForm(props: CampaignFormProps) {
  const { workspace, draft, change, body, id, isFixed = false, links, notice, action } = props;
  const t = useTranslations("campaignForm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf } = useForm(action, props.onDone, { values: body });
  const isWide = useIsWide();
  const part = { workspace, draft, change, errorOf };
  const preview = <MessagePreview draft={draft} links={links} {...(isFixed ? {} : { change })} />;
  return (
    <form {...form} className="grid gap-4">
      <input type="hidden" name="id" value={id ?? ""} />
      <input type="hidden" name="campaign" value={JSON.stringify(body)} />
      {notice}
      <div className="grid items-start gap-6 min-[1100px]:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 gap-4">
          <GeneralPart {...part} isFixed={isFixed} />
          {isFixed ? null : (
            <>
              <ColumnsPart {...part} />
              <MessagePart {...part} />
            </>
          )}
          {isWide ? null : preview}
          {isFixed ? null : (
            <>
              <LinksPart {...part} links={links} />
              <SenderPart {...part} />
              <PricesPart {...part} />
            </>
          )}
          <DataPart {...part} />
          <FormError>{error}</FormError>
          <Button
            type="submit"
            variant="solid"
            size="lg"
            pending={pending}
            className="justify-self-start"
          >
            {id === undefined ? t("create") : common("save")}
          </Button>
        </div>
        {isWide ? <div className="sticky top-6">{preview}</div> : null}
      </div>
    </form>
  );
}

function GeneralPart({ isFixed, ...part }: CampaignPartProps & { isFixed: boolean }) {
  const t = useTranslations("campaignForm");
  const { draft, change } = part;
  return (
    <Card heading={t("general")}>
      <DraftField {...part} name="name" label={t("name")} hint={t("nameHint")} />
      {isFixed ? null : (
        <Choice
          label={t("kind")}
          hint={t(`kindHints.${draft.kind}`)}
          name="kind"
          options={[
            { value: "marketing", label: t("kinds.marketing") },
            { value: "service", label: t("kinds.service") },
          ]}
          value={draft.kind}
          onValueChange={(kind) => change({ kind })}
        />
      )}
    </Card>
  );
}

function DataPart(part: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  return (
    <Card heading={t("data")} note={t("dataNote")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <DraftField
          {...part}
          name="personalDataDays"
          label={t("personalDataDays")}
          inputMode="numeric"
        />
      </div>
    </Card>
  );
}
