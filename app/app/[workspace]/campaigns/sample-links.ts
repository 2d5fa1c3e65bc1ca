import type { SampleLinks } from "#components/campaigns/preview-text.ts";
import { checksDestinations } from "#lib/links/destination-checks";
import { listDomains, shortUrl } from "#lib/links/hosts";
import { optOutUrl } from "#lib/outreach/opt-out-links";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** As long as generated slugs. */
const sampleKey = "000000";
const sampleRecipient = "00000000-0000-4000-8000-000000000000";

/** Links for the preview of a message. They look like real links and have the same length. */
export async function readSampleLinks(scope: WorkspaceScope): Promise<SampleLinks> {
  const domains = await listDomains(scope);
  return {
    domains: domains.map(({ slug, workspacePk }) => ({
      host: slug,
      shortLink: shortUrl(slug, sampleKey),
      shared: workspacePk === undefined,
    })),
    optOut: optOutUrl(sampleRecipient),
    areChecked: checksDestinations(),
  };
}
