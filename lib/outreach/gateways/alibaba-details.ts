/** What Alibaba Cloud SMS tells about a message whose response was lost. */

import { z } from "zod";
import { hourMs } from "#lib/basics/time/schema";
import { type AlibabaSettings, numberOf, postSigned } from "./alibaba-call.ts";
import { listBytesMax, parseJson } from "./client.ts";
import type { OutgoingMessage, SentState } from "./schema.ts";

const details = z.object({
  Code: z.literal("OK"),
  TotalCount: z.coerce.number(),
  SmsSendDetailDTOs: z.object({
    SmsSendDetailDTO: z.array(
      z.object({
        Content: z.string().default(""),
        TemplateCode: z.string().default(""),
        SendStatus: z.coerce.number(),
        ErrCode: z.string().default(""),
      }),
    ),
  }),
});

/** The most that a page of QuerySendDetails has. */
const detailsMax = 50;
const chinaMs = 8 * hourMs;
const sendStatus = { waiting: 1, failed: 2, delivered: 3 };

/**
 * QuerySendDetails by phone and day. A message is recognized by its variables: a text with the slug of its link is that of
 * one recipient only. Where no variable has the slug, or the day has more messages than a page, nothing is certain.
 */
export async function findByDetails(
  settings: AlibabaSettings,
  secret: string,
  origin: string,
  { message, attemptedAt }: { message: OutgoingMessage; attemptedAt: Date },
): Promise<SentState | undefined> {
  const { slug } = message;
  if (!Object.values(message.variables).some((value) => value.includes(slug))) return undefined;
  const day = new Date(attemptedAt.getTime() + chinaMs).toISOString().slice(0, 10);
  const query = {
    PhoneNumber: numberOf(message.phone),
    SendDate: day.replaceAll("-", ""),
    PageSize: String(detailsMax),
    CurrentPage: "1",
  };
  const call = { action: "QuerySendDetails", query, body: "", bytesMax: listBytesMax };
  const outcome = await postSigned(settings, secret, origin, call);
  const parsed = details.safeParse(
    outcome.kind === "answered" ? parseJson(outcome.body) : undefined,
  );
  if (!parsed.success || parsed.data.TotalCount > detailsMax) return undefined;
  const [found, second] = parsed.data.SmsSendDetailDTOs.SmsSendDetailDTO.filter(
    ({ Content: text, TemplateCode: code }) =>
      code === settings.templateCode && hasWord(text, slug),
  );
  return found && !second ? stateOf(found.SendStatus, found.ErrCode) : undefined;
}

/** A slug must not be found within a longer one. */
function hasWord(text: string, word: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).includes(word);
}

/** Its answer has no BizId. */
function stateOf(status: number, code: string): SentState | undefined {
  if (status === sendStatus.delivered) return { gatewayId: null, state: "delivered", code: null };
  if (status === sendStatus.failed) return { gatewayId: null, state: "failed", code };
  if (status === sendStatus.waiting) return { gatewayId: null, state: "accepted", code: null };
  return undefined;
}
