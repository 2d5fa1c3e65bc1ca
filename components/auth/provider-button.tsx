"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { startSignIn } from "./start-sign-in.ts";

interface ProviderButtonProps {
  site: { id: string; name: string };
  next: string;
  variant?: "solid" | "outline";
}

export function ProviderButton({ site, next, variant = "outline" }: ProviderButtonProps) {
  const t = useTranslations("entry");
  const [pending, start] = useTransition();
  const go = () =>
    start(() => startSignIn(site.id, next).catch(() => void toast.error(t("ssoAway"))));
  return (
    <Button variant={variant} size="lg" className="w-full" pending={pending} onClick={go}>
      {t("bySite", { site: site.name })}
    </Button>
  );
}
