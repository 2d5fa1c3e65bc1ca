import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { OAuthButtons } from "#components/auth/oauth-buttons";
import { SignInForm } from "#components/auth/sign-in-form";
import { FormError } from "#components/ui/form-error";
import * as verbs from "#lib/identity/auth";
import { isFactorAwaited } from "#lib/identity/presence";
import { anyProvenDomain } from "#lib/identity/sso-providers";
import { findErrorKey } from "#lib/platform/messages";
import { findInvitation } from "#lib/tenancy/members";
import { type PageQuery, titleOf } from "../../pages.tsx";
import { askSignInPasskey } from "../../proof.ts";
import { noValues } from "../../sentences.ts";
import { pageAfter } from "../next-page.ts";

export const generateMetadata = titleOf("auth.signInTitle");

/** next-auth has codes of its own for what happens at a provider. */
function errorOf(given: string | string[] | undefined): string | undefined {
  const code = [given].flat()[0];
  return code !== undefined && /^(?:OAuth|Callback)/.test(code) ? "sso_failed" : code;
}

export default async function SignInPage({ searchParams }: PageQuery) {
  const requested = await searchParams;
  const next = pageAfter(requested["next"]);
  const user = await verbs.getSessionUser();
  const refused = errorOf(requested["error"]);
  if (user && refused === undefined) redirect(next);
  if (
    requested["other"] === undefined &&
    (await isFactorAwaited(await verbs.getRequestCookies()))
  ) {
    redirect(`/signin/code?next=${encodeURIComponent(next)}`);
  }
  if (!(await verbs.hasOwner())) redirect("/signup");
  const [t, entry, errors, sso] = await Promise.all([
    getTranslations("auth"),
    getTranslations("entry"),
    getTranslations("errors"),
    anyProvenDomain(),
  ]);
  const said =
    refused === undefined ? null : (
      <FormError>{errors(findErrorKey(refused) ?? "unknown", noValues)}</FormError>
    );
  if (user) {
    return (
      <AuthCard heading={entry("sso")} below={<AuthLink to="/app">{entry("onward")}</AuthLink>}>
        {said}
      </AuthCard>
    );
  }
  const token = /^\/invite\?token=(.+)$/.exec(next)?.[1];
  const invitation = token
    ? await findInvitation(token, await verbs.getRequestAddress())
    : undefined;
  return (
    <AuthCard
      heading={t("signInHeading")}
      below={
        <>
          {t("noAccount")}{" "}
          <AuthLink to={token ? `/signup?invite=${token}` : "/signup"}>{t("signUp")}</AuthLink>
        </>
      }
    >
      {said ? <div className="mb-4">{said}</div> : null}
      <SignInForm next={next} invited={invitation?.email ?? ""} ask={askSignInPasskey()} />
      <p className="mt-4 flex flex-wrap justify-between gap-2 text-sm">
        <AuthLink to="/reset">{entry("forgot")}</AuthLink>
        <AuthLink to="/signin/letter">{entry("byLetter")}</AuthLink>
      </p>
      <OAuthButtons sites={verbs.oauthSites()} sso={sso} next={next} />
    </AuthCard>
  );
}
