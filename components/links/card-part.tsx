"use client";

import { useTranslations } from "next-intl";
import { TextareaField } from "../ui/labeled.tsx";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
import { ImageField } from "./image-field.tsx";

/** The social preview of the link; the preview next to the form shows it. */
export function CardPart({ workspace, ...part }: PartProps & { workspace: string }) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.card");
  const controls: Controls<"card"> = {
    description: (
      <TextareaField
        label={t("description")}
        error={errorOf("description")}
        rows={2}
        value={draft.description}
        onChange={({ target }) => change({ description: target.value })}
      />
    ),
    image: <ImageField {...part} workspace={workspace} />,
    video: (
      <TextField {...part} name="video" inputMode="url" label={t("video")} placeholder="https://" />
    ),
  };
  return (
    <CollapsiblePart {...part} part="card" label={t("label")} hint={t("hint")}>
      <TextField {...part} name="title" label={t("title")} hint={t("titleHint")} />
      {controls.description}
      {controls.image}
      {controls.video}
    </CollapsiblePart>
  );
}
