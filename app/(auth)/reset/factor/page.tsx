import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ActionForm } from "#components/auth/action-form";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { type PageQuery, titleOf } from "../../../pages.tsx";
import { undoFactorAction } from "../../actions.ts";
import { tokenIn } from "../../token.ts";

export const generateMetadata = titleOf("undoFactor.title");

/** Opened from an email. Nothing changes until the button is pressed, and nobody is signed in. */
export default async function UndoFactorPage(props: PageQuery) {
  const [t, entry] = await Promise.all([getTranslations("undoFactor"), getTranslations("entry")]);
  const below = <AuthLink to="/signin">{entry("back")}</AuthLink>;
  if ((await props.searchParams)["done"] !== undefined) {
    return (
      <AuthCard heading={t("doneHeading")} note={t("doneNote")} below={below}>
        <AuthLink to="/reset">{t("reset")}</AuthLink>
      </AuthCard>
    );
  }
  const token = (await tokenIn(props)) ?? redirect("/signin");
  return (
    <AuthCard heading={t("heading")} note={t("note")} below={below}>
      <ActionForm action={undoFactorAction.bind(null, token)}>{t("undo")}</ActionForm>
    </AuthCard>
  );
}
