/**
 * Changes of FUXI_SESSION_SECRET: seals values of an earlier secret again with the current one.
 *
 *     new secret, earlier one as FUXI_SESSION_SECRET_PREVIOUS ──restart──▶ both open values, the new one seals
 *       ──resealSecrets──▶ only the new one is needed
 */
import { shareColumn } from "#lib/analytics/shares";
import { wechatColumn } from "#lib/audience/wechat-accounts";
import { oidcColumn } from "#lib/identity/oidc-sessions";
import { factorColumn, factorUndoColumn } from "#lib/identity/second-factor";
import { ssoColumn } from "#lib/identity/sso-providers";
import { reportLinkPurpose } from "#lib/outreach/email-reports";
import { gatewayColumn } from "#lib/outreach/gateway-accounts";
import { optOutPurpose } from "#lib/outreach/opt-out-links";
import { fileKeyColumn } from "#lib/outreach/sources";
import { webhookColumn } from "#lib/outreach/webhooks";
import { AppError } from "#lib/platform/errors";
import { markSecret } from "#lib/platform/instance";
import { transaction } from "#lib/platform/postgres";
import {
  formerKeyColumn,
  keepFormerKeys,
  type Resealed,
  resealColumn,
} from "#lib/platform/sealing";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { peopleKeyColumn } from "#lib/tenancy/people-keys";
import { importerPageColumn, importerTokenColumn } from "#lib/transfer/importers";

const columns = [
  formerKeyColumn,
  peopleKeyColumn,
  gatewayColumn,
  wechatColumn,
  fileKeyColumn,
  webhookColumn,
  factorColumn,
  factorUndoColumn,
  oidcColumn,
  ssoColumn,
  shareColumn,
  importerTokenColumn,
  importerPageColumn,
];

export interface ResealedTable extends Resealed {
  table: string;
}

/** Safe to run twice. Throws a conflict if a needed secret is missing. */
export async function resealSecrets(
  operator: OperatorScope,
  reason: string,
): Promise<ResealedTable[]> {
  for (const purpose of [optOutPurpose, reportLinkPurpose]) await keepFormerKeys(purpose);
  const tables: ResealedTable[] = [];
  for (const column of columns) {
    tables.push({ table: column.table, ...(await resealColumn(column)) });
  }
  const lost = tables.filter((one) => one.lost > 0);
  if (lost.length > 0) {
    const names = lost.map((one) => `${one.lost} of ${one.table}`).join(", ");
    const message = `No given secret opens these values: ${names}. Everything else was sealed again. Add the secret that sealed them to FUXI_SESSION_SECRET_PREVIOUS and repeat this, or give them up with secret forget.`;
    throw new AppError("conflict", message);
  }
  const resealed = tables.reduce((sum, one) => sum + one.resealed, 0);
  await markSecret();
  await transaction((tx) =>
    recordOperation(tx, operator, {
      workspacePk: null,
      action: "operator.reseal_secrets",
      reason,
      details: { resealed },
    }),
  );
  return tables;
}

/** Gives up everything that a lost secret has sealed. */
export async function forgetSecret(operator: OperatorScope, reason: string): Promise<void> {
  await markSecret();
  await transaction((tx) =>
    recordOperation(tx, operator, { workspacePk: null, action: "operator.forget_secret", reason }),
  );
}
