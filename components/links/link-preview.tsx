"use client";

import { ImageOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import type { Suggestion } from "#lib/destinations/pages/schema";
import { LinkCode } from "./link-code.tsx";
import type { LinkDraft } from "./link-draft.ts";
import { hostOf } from "./names.ts";

interface LinkPreviewProps {
  draft: LinkDraft;
  page: Suggestion | undefined;
  link: { key: string; qrCode: string } | undefined;
}

export function LinkPreview({ draft, page, link }: LinkPreviewProps) {
  const t = useTranslations("linkForm.preview");
  const form = useTranslations("linkForm");
  const key = draft.key.trim();
  const name = `${draft.domain}/${key === "" ? "…" : key}`;
  return (
    <section aria-label={t("label")} className="grid content-start gap-5">
      <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-sunken p-4 text-center">
        <LinkCode
          shortLink={key === "" ? "" : shortLinkOf(draft.domain, key)}
          // The URL of the image is only signed for the saved short link.
          qrCode={link?.key === key ? link.qrCode : undefined}
          alt={form("codeOf", { link: name })}
        />
        <p className="break-all font-medium text-sm">{name}</p>
        {key === "" ? <p className="text-ink-muted text-sm">{t("random")}</p> : null}
      </div>
      {draft.open.includes("card") ? (
        <OwnPreview draft={draft} text={shortLinkOf(draft.domain, key === "" ? "…" : key)} />
      ) : (
        <PagePreview draft={draft} page={page} />
      )}
    </section>
  );
}

/** A preview of the link’s own, which each network shows in its way. */
function OwnPreview({ draft, text }: { draft: LinkDraft; text: string }) {
  const t = useTranslations("linkForm.preview");
  const { title, description, image, domain } = draft;
  const card = { title, text: description, image, host: domain };
  return (
    <div className="grid gap-3">
      <Tabs defaultValue="x" className="grid gap-3">
        <TabsList aria-label={t("networks")} className="flex-wrap justify-self-start">
          {networks.map((network) => (
            <TabsTrigger key={network} value={network}>
              {t(`names.${network}`)}
            </TabsTrigger>
          ))}
          <TabsTrigger value="wechat">{t("names.wechat")}</TabsTrigger>
        </TabsList>
        {networks.map((network) => (
          <TabsContent key={network} value={network}>
            <SocialCard network={network} card={card} />
          </TabsContent>
        ))}
        <TabsContent value="wechat">
          <WeChatMessage text={text} />
        </TabsContent>
      </Tabs>
      <p className="text-ink-muted text-sm">{t("custom")}</p>
    </div>
  );
}

/** Without a preview of the link’s own, all networks show the destination's, so one card stands for all. */
function PagePreview({ draft, page }: Pick<LinkPreviewProps, "draft" | "page">) {
  const t = useTranslations("linkForm.preview");
  const isRenamed = page !== undefined && draft.title !== "" && draft.title !== page.title;
  return (
    <div className="grid gap-3">
      <SocialCard network="facebook" card={pageCard(draft, page)} />
      <p className="text-ink-muted text-sm">{t(isRenamed ? "renamed" : "fromPage")}</p>
    </div>
  );
}

function pageCard({ title, url, domain }: LinkDraft, page: Suggestion | undefined): Card {
  return {
    title: title || (page?.title ?? ""),
    text: page?.description ?? "",
    image: page?.image ?? "",
    host: url.trim() === "" ? domain : hostOf(url.trim()),
  };
}

function shortLinkOf(host: string, key: string): string {
  const { origin, hostname, protocol } = window.location;
  return `${hostname === host ? origin : `${protocol}//${host}`}/${key}`;
}

const networks = ["x", "facebook", "linkedin", "whatsapp"] as const;
type Network = (typeof networks)[number];

interface Card {
  title: string;
  text: string;
  image: string;
  host: string;
}

function SocialCard({ network, card }: { network: Network; card: Card }) {
  const Rendered = renderers[network];
  return <Rendered {...card} />;
}

function WeChatMessage({ text }: { text: string }) {
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

function Picture({ image, className }: { image: string; className: string }) {
  const [broken, setBroken] = useState<string>();
  // The page’s content security policy only allows images over https or from this instance.
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
