"use client";

import { ImageOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";

export const networks = ["x", "facebook", "linkedin", "whatsapp"] as const;
type Network = (typeof networks)[number];

export interface Card {
  title: string;
  text: string;
  image: string;
  host: string;
}

/** A card as a network renders it. */
export function SocialCard({ network, card }: { network: Network; card: Card }) {
  const Rendered = renderers[network];
  return <Rendered {...card} />;
}

/** WeChat shows pasted links as text. */
export function WeChatMessage({ text }: { text: string }) {
  const t = useTranslations("linkForm.preview");
  return (
    <div className="grid gap-2">
      <p className="max-w-xs justify-self-end break-all rounded-lg bg-accent-soft px-3 py-2 text-ink text-sm underline">
        {text}
      </p>
      <p className="text-ink-muted text-sm">{t("wechat")}</p>
    </div>
  );
}

/** The image of the entered URL; a placeholder while there is none. */
function Picture({ image, className }: { image: string; className: string }) {
  const [broken, setBroken] = useState<string>();
  // The policy of the page refuses images without TLS, except those of this instance.
  const isShown = image.startsWith("https://") || image.startsWith(`${window.location.origin}/`);
  if (!isShown || broken === image) {
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

function useTitle(title: string): string {
  const t = useTranslations("linkForm.preview");
  return title || t("noTitle");
}

/** X: the image alone, with the title on it and the host below. */
function XCard({ title, image, host }: Card) {
  const t = useTranslations("linkForm.preview");
  return (
    <figure>
      <div className="relative overflow-hidden rounded-2xl border border-line">
        <Picture image={image} className="aspect-[1.91] w-full" />
        <p className="absolute bottom-3 left-3 max-w-[90%] truncate rounded-sm bg-black/75 px-1.5 text-sm text-white">
          {useTitle(title)}
        </p>
      </div>
      <figcaption className="mt-1 truncate text-ink-muted text-xs">
        {t("from", { host })}
      </figcaption>
    </figure>
  );
}

/** Facebook: the image, and host, title and one line of text below it. */
function FacebookCard({ title, text, image, host }: Card) {
  return (
    <div className="overflow-hidden border border-line bg-hover">
      <Picture image={image} className="aspect-[1.91] w-full" />
      <div className="grid gap-0.5 px-3 py-2">
        <p className="truncate text-ink-muted text-xs uppercase">{host}</p>
        <p className="line-clamp-2 font-semibold text-base">{useTitle(title)}</p>
        <p className="truncate text-ink-muted text-sm">{text}</p>
      </div>
    </div>
  );
}

/** LinkedIn: a small image next to title and host. */
function LinkedinCard({ title, image, host }: Card) {
  return (
    <div className="flex items-center gap-3 overflow-hidden rounded-lg border border-line bg-surface p-2">
      <Picture image={image} className="aspect-[1.91] w-28 shrink-0 rounded-md" />
      <div className="grid min-w-0 gap-0.5">
        <p className="line-clamp-2 font-semibold text-sm">{useTitle(title)}</p>
        <p className="truncate text-ink-muted text-xs">{host}</p>
      </div>
    </div>
  );
}

/** WhatsApp: an image, and title, text and host below it on a colored background. */
function WhatsappCard({ title, text, image, host }: Card) {
  return (
    <div className="rounded-lg bg-accent-soft p-1">
      <div className="overflow-hidden rounded-md bg-surface">
        <Picture image={image} className="aspect-[1.91] w-full" />
        <div className="grid gap-0.5 p-2">
          <p className="line-clamp-2 font-medium text-sm">{useTitle(title)}</p>
          <p className="line-clamp-2 text-ink-muted text-xs">{text}</p>
          <p className="truncate text-ink-muted text-xs">{host}</p>
        </div>
      </div>
    </div>
  );
}

const renderers = {
  x: XCard,
  facebook: FacebookCard,
  linkedin: LinkedinCard,
  whatsapp: WhatsappCard,
};
