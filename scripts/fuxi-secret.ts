/** `npm run fuxi -- secret`: after FUXI_SESSION_SECRET was changed. */
import { forgetSecret, resealSecrets } from "#lib/office/secrets";
import type { OperatorScope } from "#lib/tenancy/operators";
import { Advice } from "./processes.ts";

interface Call {
  operator: OperatorScope;
  args: readonly string[];
  reason: string;
}

export async function manageSecret({ operator, args, reason }: Call) {
  const [verb, ...more] = args;
  if (verb === "reseal" && more.length === 0) {
    const tables = await resealSecrets(operator, reason);
    const lines = tables.map(
      ({ table, current, resealed }) =>
        `${table.padEnd(17)} ${resealed} sealed again, ${current} before`,
    );
    const last = "FUXI_SESSION_SECRET_PREVIOUS is not needed any more.";
    return { json: tables, lines: [...lines, last] };
  }
  if (verb === "forget" && more.length === 0) {
    await forgetSecret(operator, reason);
    return {
      json: { forgotten: true },
      lines: ["Fuxi starts with this secret. What another one has sealed can’t be read any more."],
    };
  }
  throw new Advice("Use secret reseal or secret forget.");
}
