"use client";

import { useTranslations } from "next-intl";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import type { Suggestion } from "#lib/destinations/pages/schema";
import { LinkCode } from "./link-code.tsx";
import type { LinkDraft } from "./link-draft.ts";
import { hostOf } from "./names.ts";
import { type Card, networks, SocialCard, WeChatMessage } from "./social-cards.tsx";

interface LinkPreviewProps {
  draft: LinkDraft;
  /** The metadata of the destination, if it was loaded. */
  page: Suggestion | undefined;
  /** The edited link. */
  link: { key: string; qrCode: string } | undefined;
}

/** The link while it is edited: its short link, QR code, and how networks show it. */
export function LinkPreview({ draft, page, link }: LinkPreviewProps) {
  const t = useTranslations("linkForm.preview");
  const form = useTranslations("linkForm");
  const key = draft.key.trim();
  const name = `${draft.domain}/${key === "" ? "…" : key}`;
  const isCustom = draft.open.includes("card");
  const card = isCustom ? ownCard(draft) : pageCard(draft, page);
  return (
    <section aria-label={t("label")} className="grid content-start gap-5">
      <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-sunken p-4 text-center">
        <LinkCode
          shortLink={key === "" ? "" : shortLinkOf(draft.domain, key)}
          // Its signature is only valid for the short link as it is.
          qrCode={link?.key === key ? link.qrCode : undefined}
          alt={form("codeOf", { link: name })}
          saved={link && { shortLink: shortLinkOf(draft.domain, link.key), qrCode: link.qrCode }}
        />
        <p className="break-all font-medium text-sm">{name}</p>
        {key === "" ? <p className="text-ink-muted text-sm">{t("random")}</p> : null}
      </div>
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
            <WeChatMessage text={shortLinkOf(draft.domain, key === "" ? "…" : key)} />
          </TabsContent>
        </Tabs>
        <p className="text-ink-muted text-sm">{t(isCustom ? "custom" : "fromPage")}</p>
      </div>
    </section>
  );
}

function ownCard({ title, description, image, domain }: LinkDraft): Card {
  return { title, text: description, image, host: domain };
}

/** Without a preview of its own, networks show that of the destination. */
function pageCard({ url, domain }: LinkDraft, page: Suggestion | undefined): Card {
  return {
    title: page?.title ?? "",
    text: page?.description ?? "",
    image: page?.image ?? "",
    host: url.trim() === "" ? domain : hostOf(url.trim()),
  };
}

function shortLinkOf(host: string, key: string): string {
  const { origin, hostname, protocol } = window.location;
  return `${hostname === host ? origin : `${protocol}//${host}`}/${key}`;
}
