import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ProofRequests } from "#components/accounts/proof-request";
import { ActionForm } from "#components/auth/action-form";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { Button } from "#components/ui/button";
import { getRequestCookies, getSessionUser } from "#lib/identity/auth";
import { findConnectionOffer, openConnection } from "#lib/identity/single-sign-on";
import { titleOf } from "../../../pages.tsx";
import { proofActions } from "../../../proof.ts";
import { connectAction } from "../sso-actions.ts";

export const generateMetadata = titleOf("entry.connectTitle");

/** After single sign-on at a provider that an existing account is not connected to. */
export default async function ConnectPage() {
  const [t, auth, user, cookies] = await Promise.all([
    getTranslations("entry"),
    getTranslations("auth"),
    getSessionUser(),
    getRequestCookies(),
  ]);
  const pending = openConnection(cookies);
  const offer = pending && (await findConnectionOffer(pending));
  if (!offer) {
    return (
      <AuthCard heading={t("connectOverHeading")} note={t("connectOverNote")}>
        <AuthLink to="/signin/sso">{t("sso")}</AuthLink>
      </AuthCard>
    );
  }
  const { email } = pending;
  const heading = t("connectHeading", { provider: offer.name });
  if (!user) {
    return (
      <AuthCard heading={heading} note={t("connectFirst", { email })}>
        <Button asChild variant="solid" size="lg" className="w-full">
          <Link href="/signin?next=/signin/connect">{auth("signIn")}</Link>
        </Button>
      </AuthCard>
    );
  }
  if (user.pk !== pending.userPk || user.ssoWorkspacePk !== null) {
    return (
      <AuthCard heading={heading} note={t("connectOther", { email })}>
        <AuthLink to="/signout">{auth("signOutTitle")}</AuthLink>
      </AuthCard>
    );
  }
  const values = { issuer: offer.issuer, email, workspace: offer.workspace.name };
  return (
    <AuthCard
      heading={heading}
      note={t("connectNote", values)}
      below={<AuthLink to="/app">{t("onward")}</AuthLink>}
    >
      <ActionForm action={connectAction}>{t("connect")}</ActionForm>
      <ProofRequests {...proofActions()} />
    </AuthCard>
  );
}
