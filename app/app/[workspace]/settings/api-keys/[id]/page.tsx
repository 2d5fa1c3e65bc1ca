import { notFound } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { KeyActions } from "#components/keys/key-actions";
import { KeyDetails } from "#components/keys/key-details";
import { KeyUseView } from "#components/keys/key-use";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { findApiKey } from "#lib/identity/api-keys";
import { findKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery } from "#lib/tenancy/key-use/schema";
import { type PageOf, titleOf } from "../../../../../pages.ts";
import { Texts } from "../../../../../texts.tsx";
import { requireScope } from "../../../../access.ts";
import { editKeyAction, revokeKeyAction, rotateKeyAction } from "../actions.ts";
import { readChoices } from "../choices.ts";

export const generateMetadata = titleOf("apiKeys.title");

export default async function KeyPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const [t, format, apiKey, use, choices] = await Promise.all([
    getTranslations("apiKeys"),
    getFormatter(),
    findApiKey(scope, id),
    findKeyUse(scope, id, keyUseQuery.parse({})),
    readChoices(scope),
  ]);
  if (!apiKey || !use) notFound();
  const { previous } = apiKey;
  const listHref = `/app/${workspace}/settings/api-keys`;
  const until =
    previous &&
    format.dateTime(new Date(previous.endsAt), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: scope.zone,
    });
  return (
    <Texts of={["apiKeys"]}>
      <BackLink href={listHref}>{t("title")}</BackLink>
      <PageHead heading={apiKey.name} note={`${apiKey.hint}…`}>
        {scope.permissions.has("keys.write") ? (
          <KeyActions
            apiKey={apiKey}
            choices={choices}
            listHref={listHref}
            editKey={editKeyAction.bind(null, workspace, id)}
            rotateKey={rotateKeyAction.bind(null, workspace, id)}
            revokeKey={revokeKeyAction.bind(null, workspace, id)}
          />
        ) : null}
      </PageHead>
      {apiKey.pendingApproval ? (
        <p className="mb-5 rounded-xl border border-line bg-sunken p-4 text-sm">
          {t("pendingText")}
        </p>
      ) : null}
      {previous && until ? (
        <p className="mb-5 rounded-xl border border-line bg-sunken p-4 text-sm">
          {t("previousUntil", { hint: `${previous.hint}…`, until })}
        </p>
      ) : null}
      <div className="grid gap-5">
        <KeyUseView use={use} zone={scope.zone} />
        <KeyDetails apiKey={apiKey} choices={choices} zone={scope.zone} />
      </div>
    </Texts>
  );
}
