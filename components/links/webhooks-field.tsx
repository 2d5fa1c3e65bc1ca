import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import { Field } from "#components/ui/field";
import { ValuesField } from "#components/ui/values-field";
import type { PartProps } from "./form-fields.tsx";

const webhookNames = z.array(
  z.object({ id: z.string(), name: z.string(), chosenLinks: z.boolean() }),
);
type WebhookName = z.output<typeof webhookNames>[number];

/** The webhooks that only get events of links that choose them. Hidden where there are none, or to be seen by others. */
export function WebhooksField({
  workspace,
  draft,
  change,
  errorOf,
}: PartProps & { workspace: string }) {
  const t = useTranslations("linkForm.webhooks");
  const found = useWebhooks(workspace);
  const offered = found.filter(
    ({ id, chosenLinks }) => chosenLinks || draft.webhookIds.includes(id),
  );
  if (offered.length === 0) return null;
  return (
    <Field label={t("label")} hint={t("hint")} error={errorOf("webhookIds")}>
      {(control) => (
        <ValuesField
          control={control}
          options={offered.map(({ id, name }) => ({ value: id, label: name }))}
          values={draft.webhookIds}
          onValues={(webhookIds) => change({ webhookIds })}
          texts={{
            list: t("label"),
            add: t("add"),
            search: t("search"),
            nothing: t("nothing"),
            remove: (name) => t("remove", { name }),
          }}
        />
      )}
    </Field>
  );
}

/** None for members, who may not see webhooks. */
function useWebhooks(workspace: string): readonly WebhookName[] {
  const [found, setFound] = useState<readonly WebhookName[]>([]);
  const load = useEffectEvent(async () => {
    const answer = await callApi({ workspace, path: "/webhooks" });
    return webhookNames.parse(await answer.json());
  });
  useEffect(() => {
    let stale = false;
    load().then(
      (webhooks) => stale || setFound(webhooks),
      // Without them, the link keeps those it has.
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, []);
  return found;
}
