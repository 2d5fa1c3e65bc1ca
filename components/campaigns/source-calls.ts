import { callApi } from "#components/forms/call-api.ts";
import { type FileUpload, sendFile } from "#components/forms/send-file.ts";
import {
  type RecipientSource,
  type SourcePreview,
  sourcePreviewShape,
  sourceShape,
} from "#lib/outreach/sources/schema";

const pathOf = (id: string) => `/recipient-sources/${encodeURIComponent(id)}`;

export async function readSource(workspace: string, id: string): Promise<RecipientSource> {
  return sourceShape.parse(await (await callApi({ workspace, path: pathOf(id) })).json());
}

export async function readPreview(workspace: string, id: string): Promise<SourcePreview> {
  const answer = await callApi({ workspace, path: `${pathOf(id)}/preview` });
  return sourcePreviewShape.parse(await answer.json());
}

export function sendRecipients(
  { workspace, campaignId, file }: { workspace: string; campaignId: string; file: File },
  onProgress: (share: number) => void,
): FileUpload<RecipientSource> {
  const path = `/campaigns/${encodeURIComponent(campaignId)}/files`;
  const parse = (answer: unknown) => sourceShape.parse(answer);
  return sendFile({ workspace, path, file, parse }, onProgress);
}

export function refusedUrl(workspace: string, id: string): string {
  return `/api${pathOf(id)}/refused?${new URLSearchParams({ workspace })}`;
}

export function recipientsUrl(
  workspace: string,
  campaignId: string,
  filter: Record<string, string>,
): string {
  const params = new URLSearchParams({ workspace, ...filter });
  return `/api/campaigns/${encodeURIComponent(campaignId)}/recipients/export?${params}`;
}
