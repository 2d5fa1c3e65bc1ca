import { parseId } from "#lib/basics/ids";
import type { OidcClient, OidcIdentity } from "#lib/identity/oidc";
import { config } from "#lib/platform/config";
import { type SealedColumn, unseal } from "#lib/platform/sealing";
import { privateNetworksOf } from "#lib/tenancy/instance-rules";
import { instanceProvider } from "./schema.ts";
import { findProviderById, findProviderByPk, isDomainProven, type ProviderRow } from "./store.ts";

export const purpose = "sso-providers";
export const ssoColumn: SealedColumn = {
  table: "sso_provider",
  column: "sealed",
  key: ["pk"],
  purpose,
  binding: "id",
};

/** As next-auth names the provider: in the callback URL, in its cookies, and in connected accounts. */
export function identityName(id: string): string {
  return `${instanceProvider}-${id}`;
}

function idOfName(name: string): string | undefined {
  const id = name.slice(instanceProvider.length + 1);
  return name.startsWith(`${instanceProvider}-`) && parseId("sso", id) ? id : undefined;
}

export function secretOf({ id, sealed }: ProviderRow): string {
  return unseal(purpose, sealed, id).toString();
}

export async function clientOf(
  row: Pick<ProviderRow, "id" | "workspacePk" | "issuer" | "clientId" | "scope">,
  clientSecret: string,
): Promise<OidcClient> {
  const { id, issuer, clientId, scope } = row;
  const networks = await privateNetworksOf(row.workspacePk);
  const key = JSON.stringify([id, issuer, clientId, networks]);
  const callbackUrl = callbackUrlOf(identityName(id));
  return { key, issuer, clientId, clientSecret, callbackUrl, scope, networks };
}

function callbackUrlOf(name: string): string {
  return `${config().FUXI_URL}/api/auth/callback/${name}`;
}

/** Undefined: the settings name no provider. */
export function instanceClient(): OidcClient | undefined {
  const { FUXI_OIDC_ISSUER, FUXI_OIDC_CLIENT_ID, FUXI_OIDC_CLIENT_SECRET } = config();
  if (!FUXI_OIDC_ISSUER || !FUXI_OIDC_CLIENT_ID || !FUXI_OIDC_CLIENT_SECRET) return undefined;
  return {
    key: instanceProvider,
    issuer: FUXI_OIDC_ISSUER,
    clientId: FUXI_OIDC_CLIENT_ID,
    clientSecret: FUXI_OIDC_CLIENT_SECRET,
    callbackUrl: callbackUrlOf(instanceProvider),
    scope: "openid email profile",
    networks: null,
  };
}

export interface OpenedProvider {
  client: OidcClient;
  /** Undefined: the provider of the instance. */
  row: ProviderRow | undefined;
}

/** By its name in a path, or by its row: null is the provider of the instance. */
export async function clientOfProvider(
  named: string | number | null,
): Promise<OpenedProvider | undefined> {
  if (named === instanceProvider || named === null) {
    const client = instanceClient();
    return client && { client, row: undefined };
  }
  const row = await findRow(named);
  return row && { client: await clientOf(row, secretOf(row)), row };
}

async function findRow(named: string | number): Promise<ProviderRow | undefined> {
  if (typeof named === "number") return await findProviderByPk(named);
  const id = idOfName(named);
  return id === undefined ? undefined : await findProviderById(id);
}

export type AddressProblem = "sso_email_unverified" | "sso_email_domain";

/**
 * Whether the workspace may speak for the address. Providers such as Entra ID do not say whether they
 * verified it, which the proven domain makes up for. An address that is said not to be verified counts
 * nowhere.
 */
export async function findAddressProblem(
  { pk }: Pick<ProviderRow, "pk">,
  { email, emailVerified }: Pick<OidcIdentity, "email" | "emailVerified">,
): Promise<AddressProblem | undefined> {
  // defence: sso-unverified-email
  if (emailVerified === false) return "sso_email_unverified";
  const host = email.toLowerCase().split("@").at(-1) ?? "";
  return (await isDomainProven(pk, host)) ? undefined : "sso_email_domain";
}
