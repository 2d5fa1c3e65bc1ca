"use client";

import { ImageOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Field } from "../ui/field.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { CollapsiblePart, type PartProps, TextField } from "./form-fields.tsx";

const networks = ["x", "wechat", "whatsapp"] as const;

/** The social preview of the link, as networks render it. */
export function CardPart(part: PartProps) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.card");
  const card = {
    title: draft.title,
    text: draft.description,
    image: draft.image,
    host: draft.domain,
  };
  return (
    <CollapsiblePart {...part} part="card" label={t("label")} hint={t("hint")}>
      <Field label={t("description")} error={errorOf("description")}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      <TextField {...part} name="image" inputMode="url" label={t("image")} placeholder="https://" />
      <TextField {...part} name="video" inputMode="url" label={t("video")} placeholder="https://" />
      <Tabs defaultValue="x" className="grid gap-3">
        <TabsList aria-label={t("previews")} className="justify-self-start">
          {networks.map((name) => (
            <TabsTrigger key={name} value={name}>
              {t(`networks.${name}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="x">
          <XCard {...card} />
        </TabsContent>
        <TabsContent value="wechat">
          <WeChatCard {...card} />
        </TabsContent>
        <TabsContent value="whatsapp">
          <WhatsAppCard {...card} />
        </TabsContent>
      </Tabs>
    </CollapsiblePart>
  );
}

interface CardProps {
  title: string;
  text: string;
  image: string;
  host: string;
}

/** The image of the entered URL; a placeholder while there is none. */
function Picture({ image, className }: { image: string; className: string }) {
  const [broken, setBroken] = useState<string>();
  if (!image.startsWith("https://") || broken === image) {
    return (
      <div className={`${className} grid place-items-center bg-pressed text-ink-faint`}>
        <ImageOff aria-hidden className="size-5" />
      </div>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: an image of another site, as its visitors get it
    <img
      src={image}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(image)}
      className={`${className} object-cover`}
    />
  );
}

/** X: the image alone, with the title on it and the host below. */
function XCard({ title, image, host }: CardProps) {
  const t = useTranslations("linkForm.card");
  return (
    <figure className="max-w-md">
      <div className="relative overflow-hidden rounded-2xl border border-line">
        <Picture image={image} className="aspect-[1.91] w-full" />
        <p className="absolute bottom-3 left-3 max-w-[90%] truncate rounded-sm bg-black/75 px-1.5 text-sm text-white">
          {title || t("noTitle")}
        </p>
      </div>
      <figcaption className="mt-1 text-ink-muted text-xs">{t("from", { host })}</figcaption>
    </figure>
  );
}

/** WeChat: title and two lines of text next to a small square. */
function WeChatCard({ title, text, image }: CardProps) {
  const t = useTranslations("linkForm.card");
  return (
    <div className="grid max-w-xs gap-1.5 rounded-md border border-line bg-surface p-3">
      <p className="line-clamp-2 text-base">{title || t("noTitle")}</p>
      <div className="flex items-start gap-2">
        <p className="line-clamp-3 flex-1 text-ink-muted text-xs">{text}</p>
        <Picture image={image} className="size-12 shrink-0" />
      </div>
    </div>
  );
}

/** WhatsApp: an image, and title, text and host below it on a gray background. */
function WhatsAppCard({ title, text, image, host }: CardProps) {
  const t = useTranslations("linkForm.card");
  return (
    <div className="max-w-xs rounded-lg bg-accent-soft p-1">
      <div className="overflow-hidden rounded-md bg-surface">
        <Picture image={image} className="aspect-[1.91] w-full" />
        <div className="grid gap-0.5 p-2">
          <p className="line-clamp-2 font-medium text-sm">{title || t("noTitle")}</p>
          <p className="line-clamp-2 text-ink-muted text-xs">{text}</p>
          <p className="truncate text-ink-muted text-xs">{host}</p>
        </div>
      </div>
      <p className="px-1.5 pt-1 text-accent text-sm">https://{host}/…</p>
    </div>
  );
}
