/** The gateway of the demo: it puts messages into the outbox of the demo, and calls nobody. */
import { storeDemoMessages } from "#lib/outreach/demo-outbox";
import { log } from "#lib/platform/log";
import type { GatewayClient, GatewayOptions } from "./client.ts";
import type { SettingsOf } from "./kinds.ts";
import type { OutgoingMessage, SendOutcome } from "./schema.ts";

const batchMax = 100;

export function demoGateway({ workspacePk }: GatewayOptions<SettingsOf<"demo">>): GatewayClient {
  return {
    batchMax,
    send: (messages) => store(workspacePk, messages),
    // There is nobody to ask about an unknown message, because nothing can have left the instance.
    find: async () => undefined,
    check: async () => ({
      ok: true,
      code: "accepted",
      message: "Messages go to the outbox of the demo.",
    }),
    read: () => undefined,
    confirmation: null,
  };
}

async function store(
  workspacePk: number,
  messages: readonly OutgoingMessage[],
): Promise<SendOutcome[]> {
  try {
    const ids = await storeDemoMessages(workspacePk, messages);
    return messages.map((_, at) => outcomeOf(ids?.[at]));
  } catch (error) {
    log.error({ event: "demo_outbox.failed", error: String(error) });
    const reason = "The outbox can’t be reached";
    return messages.map(() => ({ state: "unknown", code: "no_response", reason }));
  }
}

function outcomeOf(id: string | undefined): SendOutcome {
  if (id !== undefined) return { state: "accepted", gatewayId: id };
  return { state: "stopped", code: "demo_only", reason: "This workspace is not the demo" };
}
