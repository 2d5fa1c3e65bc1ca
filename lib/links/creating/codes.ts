/** Codes for new links: codes of deleted links of the same domain first, then new ones. */
import { type Lookups, loadLookups } from "#lib/links/fields";
import type { NewLink } from "#lib/links/fields/schema";
import { codeChars, drawRecycledCodes, recyclesCodes, takeCodes } from "#lib/links/keys";
import type { ReadyCode } from "#lib/platform/codes";
import type { WorkspaceScope } from "#lib/tenancy/access";

interface LookupsAndCodes {
  lookups: Lookups;
  codes: ReadyCode[];
}

/** Loads references and a code for each body, in parallel unless the code depends on the domain. */
export async function loadWithCodes(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
): Promise<LookupsAndCodes> {
  if (!recyclesCodes()) {
    const [codes, lookups] = await Promise.all([
      takeCodes(bodies.length),
      loadLookups(scope, bodies),
    ]);
    return { codes, lookups };
  }
  const lookups = await loadLookups(scope, bodies);
  const codes: (ReadyCode | undefined)[] = await drawFor(bodies, lookups);
  const fresh = await takeCodes(codes.filter((one) => one === undefined).length);
  return { lookups, codes: codes.map((code) => code ?? fresh.pop() ?? missingCode()) };
}

function missingCode(): never {
  throw new Error("The code pool returned too few codes");
}

/** Draws recycled codes only for links whose key is a code, because an alias would use up the pk. */
async function drawFor(bodies: readonly NewLink[], lookups: Lookups) {
  const domains = bodies.map((body) => {
    const domain = lookups.domains.get(body.domain ?? "");
    const isCode = !body.key && !body.prefix && (body.keyLength ?? codeChars) === codeChars;
    return domain && isCode && !domain.caseInsensitive ? domain.pk : undefined;
  });
  const drawn = new Map<number | undefined, ReadyCode[]>();
  for (const pk of new Set(domains)) {
    const wanted = domains.filter((one) => one === pk).length;
    if (pk !== undefined) drawn.set(pk, await drawRecycledCodes(pk, wanted));
  }
  return domains.map((pk) => drawn.get(pk)?.pop());
}
