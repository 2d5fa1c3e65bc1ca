import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { FactorForm } from "#components/auth/code-form";
import { getRequestCookies } from "#lib/identity/auth";
import { arePasskeysPossible } from "#lib/identity/passkeys";
import { isFactorAwaited } from "#lib/identity/presence";
import { type PageQuery, titleOf } from "../../../pages.tsx";
import {
  askFactorPasskeyAction,
  finishByPasskeyAction,
  finishSignInAction,
} from "../../actions.ts";
import { pageAfter } from "../../next-page.ts";

export const generateMetadata = titleOf("entry.codeTitle");

/** Asks for the second factor after a sign-in with a connected account. */
export default async function SignInCodePage({ searchParams }: PageQuery) {
  const next = pageAfter((await searchParams)["next"]);
  if (!(await isFactorAwaited(await getRequestCookies()))) {
    redirect(`/signin?next=${encodeURIComponent(next)}`);
  }
  const t = await getTranslations("entry");
  return (
    <AuthCard
      heading={t("codeHeading")}
      note={t("codeNote")}
      below={<AuthLink to="/signin?other">{t("otherWay")}</AuthLink>}
    >
      <FactorForm
        check={finishSignInAction}
        passkey={
          arePasskeysPossible()
            ? { ask: askFactorPasskeyAction, check: finishByPasskeyAction }
            : undefined
        }
        next={next}
      />
    </AuthCard>
  );
}
