import { getTranslations } from "next-intl/server";
import { ProofRequests } from "#components/accounts/proof-request";
import { ActionForm } from "#components/auth/action-form";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { ProviderButton } from "#components/auth/provider-button";
import { SsoForm } from "#components/auth/sso-form";
import { getSessionUser } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { findBlockingProvider } from "#lib/identity/single-sign-on";
import { type PageQuery, titleOf } from "../../../pages.tsx";
import { proofActions } from "../../../proof.ts";
import { findSsoAction, openByExceptionAction } from "../sso-actions.ts";

export const generateMetadata = titleOf("entry.ssoTitle");

/** Asks for the provider, or names the one of a workspace of which the person is a member. */
export default async function SsoSignInPage({ searchParams }: PageQuery) {
  const slug = String((await searchParams)["workspace"] ?? "");
  const user = await getSessionUser();
  const found = user && slug ? await findBlockingProvider(user, slug) : undefined;
  if (user && found) return <WorkspaceSignIn user={user} found={found} />;
  const t = await getTranslations("entry");
  return (
    <AuthCard
      heading={t("sso")}
      note={t("ssoNote")}
      below={<AuthLink to="/signin">{t("back")}</AuthLink>}
    >
      <SsoForm initial={slug} find={findSsoAction} />
    </AuthCard>
  );
}

interface WorkspaceSignInProps {
  user: SessionUser;
  found: NonNullable<Awaited<ReturnType<typeof findBlockingProvider>>>;
}

async function WorkspaceSignIn({ user, found }: WorkspaceSignInProps) {
  const t = await getTranslations("entry");
  const { provider, name, workspace, required, mayExcept } = found;
  const next = `/app/${workspace.slug}/links`;
  return (
    <AuthCard
      heading={required ? t("ssoRequiredHeading", { workspace: workspace.name }) : t("sso")}
      note={required ? t("ssoRequiredNote", { email: user.email, provider: name }) : t("ssoNote")}
      below={<AuthLink to="/app">{t("onward")}</AuthLink>}
    >
      <div className="grid gap-4">
        <ProviderButton site={{ id: provider, name }} next={next} variant="solid" />
        {mayExcept ? (
          <div className="grid gap-3 border-line border-t pt-4 text-sm">
            <p className="text-ink-muted">{t("ssoExceptionNote")}</p>
            <ActionForm action={openByExceptionAction.bind(null, workspace.slug)}>
              {t("ssoException")}
            </ActionForm>
            <ProofRequests {...proofActions()} />
          </div>
        ) : null}
      </div>
    </AuthCard>
  );
}
