"use client";

import { signOut } from "next-auth/react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { deleteDrafts } from "#components/forms/stored-drafts.ts";
import { Button } from "#components/ui/button";

export function SignOutButton() {
  const t = useTranslations("shell");
  const [pending, start] = useTransition();
  return (
    <Button
      variant="solid"
      size="lg"
      className="w-full"
      pending={pending}
      onClick={() => {
        deleteDrafts();
        start(async () => void (await signOut({ callbackUrl: "/" })));
      }}
    >
      {t("signOut")}
    </Button>
  );
}
