/** What the fields of a webhook must fulfil. */
import { config } from "#lib/platform/config";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { isAllowedUrl } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { singleClicks } from "#lib/tenancy/webhook-events/schema";
import { canSign, isChat, type WebhookFormat } from "./schema.ts";

/** Only https: events name people’s links, and their clicks. */
export function assertUrl(text: string): void {
  const url = new URL(text);
  const isPlain = url.protocol !== "https:" && !isLoopback(url);
  // defence: webhook-public-url
  if (isAllowedUrl(url) && !isPlain) return;
  throw refused("webhook_url", "url: Use an https URL of a public server.");
}

export function refused(problem: ProblemCode, message: string): AppError {
  return new AppError("unprocessable_entity", message, { problem });
}

interface FormatTerms {
  format: WebhookFormat;
  events: readonly string[];
  people: boolean;
  signingSecret?: string | null | undefined;
}

/** What depends on the format. */
export function assertFits({ format, events, people, signingSecret }: FormatTerms): void {
  if (isChat(format) && singleClicks.some((type) => events.includes(type))) {
    const message = `events: Chats get numbers of clicks. Use link.clicks instead of ${singleClicks.join(" and ")}.`;
    throw refused("webhook_clicks", message);
  }
  if (people && isChat(format)) {
    const message = "people: Chats get no phones, email addresses and names. Turn it off.";
    throw refused("webhook_people", message);
  }
  if (signingSecret && !canSign(format)) {
    const message = "signingSecret: Only dingtalk and feishu have one. Remove it.";
    throw refused("webhook_signing", message);
  }
}

/** Who changes where people’s data is sent may see it. */
export function assertPeople(scope: WorkspaceScope, { people }: { people: boolean }): void {
  // defence: webhook-people-need-permission
  if (people) assertMay(scope, "people.view");
}

/** An address of this machine is allowed on test instances only. */
function isLoopback({ hostname }: URL): boolean {
  return config().FUXI_FETCH === "loopback" && ["127.0.0.1", "localhost"].includes(hostname);
}
