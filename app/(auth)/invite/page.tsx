import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ActionForm } from "#components/auth/action-form";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { Button } from "#components/ui/button";
import { getRequestAddress, getSessionUser } from "#lib/identity/auth";
import { findInvitation } from "#lib/tenancy/members";
import { type PageQuery, titleOf } from "../../pages.tsx";
import { acceptInvitationAction } from "../actions.ts";
import { tokenIn } from "../token.ts";

export const generateMetadata = titleOf("entry.inviteTitle");

export default async function InvitePage(props: PageQuery) {
  const [t, auth, roles, errors, token, user] = await Promise.all([
    getTranslations("entry"),
    getTranslations("auth"),
    getTranslations("members"),
    getTranslations("errors"),
    tokenIn(props),
    getSessionUser(),
  ]);
  const found = token && (await findInvitation(token, await getRequestAddress()));
  if (!found) {
    return (
      <AuthCard heading={t("inviteOverHeading")} note={errors("invitationOver")}>
        <AuthLink to="/app">{t("onward")}</AuthLink>
      </AuthCard>
    );
  }
  const { workspace, inviter, role, email } = found;
  const whom = email === null ? null : t("inviteFor", { email });
  const heading = t("inviteHeading", { workspace });
  const note = t("inviteNote", { inviter, role: roles(role) });
  if (user) {
    return (
      <AuthCard
        heading={heading}
        note={note}
        below={
          <>
            {t("inviteAs", { email: user.email })}{" "}
            <AuthLink to="/signout">{auth("signOutTitle")}</AuthLink>
          </>
        }
      >
        <div className="grid gap-4">
          {whom ? <p className="text-sm">{whom}</p> : null}
          <ActionForm action={acceptInvitationAction.bind(null, token)}>{t("accept")}</ActionForm>
        </div>
      </AuthCard>
    );
  }
  return (
    <AuthCard heading={heading} note={note}>
      <div className="grid gap-2">
        {whom ? <p className="pb-2 text-sm">{whom}</p> : null}
        <Button asChild variant="solid" size="lg" className="w-full">
          <Link href={`/signup?invite=${token}`}>{auth("signUp")}</Link>
        </Button>
        <Button asChild size="lg" className="w-full">
          <Link href={`/signin?next=${encodeURIComponent(`/invite?token=${token}`)}`}>
            {auth("signIn")}
          </Link>
        </Button>
      </div>
    </AuthCard>
  );
}
