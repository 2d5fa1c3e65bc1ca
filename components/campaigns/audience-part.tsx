"use client";

import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { useAction } from "#components/forms/use-action.ts";
import { NameField } from "#components/links/name-field";
import type { NamedOption } from "#components/links/names.ts";
import { Button } from "#components/ui/button";
import { Choice } from "#components/ui/choice";
import type { Audience, RecipientSource } from "#lib/outreach/sources/schema";
import type { SourcePartProps } from "./source-part.ts";

const audiences = ["not_clicked", "clicked", "all"] as const satisfies readonly Audience[];

interface AudiencePartProps extends SourcePartProps {
  onAdded: (source: RecipientSource) => void;
}

/** Takes the recipients of another campaign. */
export function AudiencePart({ campaign, actions, onAdded }: AudiencePartProps) {
  const t = useTranslations("recipients");
  const runAction = useAction();
  const [chosen, setChosen] = useState<NamedOption>();
  const [audience, setAudience] = useState<Audience>("not_clicked");
  const [pending, start] = useTransition();
  const add = (campaignId: string) =>
    start(async () => {
      const answer = await runAction(() => actions.addAudience({ campaignId, audience }));
      if (answer) onAdded(answer.done);
    });
  return (
    <div className="grid max-w-xl gap-4">
      <NameField
        label={t("otherCampaign")}
        any={t("chooseCampaign")}
        chosen={chosen}
        read={async (search) =>
          (await actions.findCampaigns(search)).filter(({ id }) => id !== campaign.id)
        }
        onChoose={(id, named) => setChosen(id === "" ? undefined : named)}
      />
      <Choice
        label={t("audience")}
        hint={t("audienceHint")}
        name="audience"
        options={audiences.map((value) => ({ value, label: t(`audiences.${value}`) }))}
        value={audience}
        onValueChange={setAudience}
      />
      <Button
        variant="solid"
        className="justify-self-start"
        disabled={chosen === undefined}
        pending={pending}
        onClick={() => chosen && add(chosen.id)}
      >
        {t("takeAudience")}
      </Button>
    </div>
  );
}
