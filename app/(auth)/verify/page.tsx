import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ActionForm } from "#components/auth/action-form";
import { AuthCard } from "#components/auth/auth-card";
import { requireOwner } from "../../app/access.ts";
import { type PageQuery, titleOf } from "../../pages.tsx";
import { confirmEmailAction } from "../actions.ts";
import { tokenIn } from "../token.ts";

export const generateMetadata = titleOf("entry.verifyTitle");

export default async function VerifyPage(props: PageQuery) {
  const token = (await tokenIn(props)) ?? redirect("/app");
  const user = await requireOwner(`/verify?token=${token}`);
  const t = await getTranslations("entry");
  return (
    <AuthCard heading={t("verifyHeading")} note={t("verifyNote", { email: user.email })}>
      <ActionForm action={confirmEmailAction.bind(null, token)}>{t("verify")}</ActionForm>
    </AuthCard>
  );
}
