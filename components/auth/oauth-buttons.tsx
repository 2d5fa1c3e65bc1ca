"use client";

import { signIn } from "next-auth/react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";

interface OAuthButtonsProps {
  sites: readonly { id: string; name: string }[];
  next: string;
}

export function OAuthButtons({ sites, next }: OAuthButtonsProps) {
  const t = useTranslations("entry");
  if (sites.length === 0) return null;
  return (
    <div className="mt-4 grid gap-2 border-line border-t pt-4">
      {sites.map(({ id, name }) => (
        <Button
          key={id}
          size="lg"
          className="w-full"
          onClick={() => void signIn(id, { callbackUrl: next })}
        >
          {t("bySite", { site: name })}
        </Button>
      ))}
    </div>
  );
}
