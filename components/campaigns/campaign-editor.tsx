"use client";

import { useRouter } from "next/navigation";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { DraftNotice } from "#components/forms/draft-notice";
import { type FormAction, type FormAnswer, useAction } from "#components/forms/form";
import { type DraftState, useStoredDraft } from "#components/forms/use-stored-draft.ts";
import { toast } from "#components/ui/toast";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import type { Audience, RecipientSource } from "#lib/outreach/sources/schema";
import {
  type CampaignDraft,
  campaignBodyOf,
  draftOfCampaign,
  emptyCampaign,
  fixedBodyOf,
  newCampaignBodyOf,
} from "./campaign-draft.ts";
import { CampaignForm } from "./campaign-form.tsx";
import type { SampleLinks } from "./preview-text.ts";

const version = 2;

interface EditorProps {
  workspace: string;
  owner: string;
  links: SampleLinks;
  save: FormAction<{ id: string }>;
}

interface Follows {
  campaign: Campaign;
  audience: Audience;
  add: (
    id: string,
    body: { campaignId: string; audience: Audience },
  ) => Promise<FormAnswer<RecipientSource>>;
}

/**
 * Creates a campaign, and continues with its recipients. With `follows`, it starts as a copy of another campaign, for some of its
 * recipients.
 */
export function CampaignCreator({
  workspace,
  owner,
  links,
  save,
  follows,
}: EditorProps & { follows: Follows | undefined }) {
  const t = useTranslations("campaignForm");
  const router = useRouter();
  const runAction = useAction();
  // A first guess, which people can change in the form.
  const country = useLocale() === "zh" ? "CN" : "US";
  const subject = follows ? `campaign after ${follows.campaign.id}` : "campaign";
  const place = { owner, workspace, subject, version, base: undefined };
  const state = useStoredDraft(place, () =>
    follows ? { ...draftOfCampaign(follows.campaign), name: "" } : emptyCampaign(country),
  );
  const { draft, change, discard } = state;
  return (
    <CampaignForm
      workspace={workspace}
      draft={draft}
      change={change}
      body={newCampaignBodyOf(draft)}
      links={links}
      notice={
        <>
          <CampaignDraftOffer {...state} />
          {follows ? (
            <p className="rounded-lg border border-line bg-sunken p-3 text-sm">
              {t("follows", { name: follows.campaign.name, audience: follows.audience })}
            </p>
          ) : null}
        </>
      }
      action={save}
      onDone={async ({ id }) => {
        discard();
        if (follows) {
          const { campaign, audience, add } = follows;
          await runAction(() => add(id, { campaignId: campaign.id, audience }));
        }
        const path = `/app/${workspace}/campaigns/${id}`;
        // Going back opens the saved message instead of another empty form: Next.js loads entries with this mark from the server.
        window.history.replaceState({ _N: true }, "", `${path}/message`);
        router.push(`${path}/recipients`);
      }}
    />
  );
}

export function CampaignEditor({ campaign, ...props }: EditorProps & { campaign: Campaign }) {
  const t = useTranslations("campaignForm");
  const router = useRouter();
  const { workspace, owner, links, save } = props;
  const { id, lastAddedAt } = campaign;
  const isFixed = lastAddedAt !== null;
  const before = draftOfCampaign(campaign);
  // This text differs after every change of the campaign.
  const place = { owner, workspace, subject: id, version, base: JSON.stringify(before) };
  const state = useStoredDraft(place, () => before);
  const { draft, change, discard } = state;
  return (
    <CampaignForm
      workspace={workspace}
      draft={draft}
      change={change}
      body={isFixed ? fixedBodyOf(draft) : campaignBodyOf(draft)}
      id={id}
      isFixed={isFixed}
      links={links}
      notice={
        <>
          <CampaignDraftOffer {...state} />
          {isFixed ? (
            <p className="rounded-lg border border-line bg-sunken p-3 text-sm">{t("fixed")}</p>
          ) : null}
        </>
      }
      action={save}
      onDone={() => {
        discard();
        if (isFixed) toast.success(t("saved"));
        else router.push(`/app/${workspace}/campaigns/${id}/recipients`);
      }}
    />
  );
}

function CampaignDraftOffer({ offer, resume, discard }: DraftState<CampaignDraft>) {
  const t = useTranslations("campaignForm.draft");
  const format = useFormatter();
  if (!offer) return null;
  const when = format.dateTime(new Date(offer.at), { dateStyle: "medium", timeStyle: "short" });
  return (
    <DraftNotice
      text={t("found", { when })}
      summary={offer.draft.name}
      outdated={offer.outdated ? t("outdated") : undefined}
      discard={{ label: t("discard"), onClick: discard }}
      resume={{ label: t("resume"), onClick: resume }}
    />
  );
}
