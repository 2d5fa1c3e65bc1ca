/** The guide for SMS senders, followed with nothing but `curl`: its five calls in their order, as they stand. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiKey, origin } from "./contract-server.ts";
import { commandsIn, runAsItStands } from "./documents.ts";
import { send } from "./http-client.ts";

const browser =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
/** What a reader does: runs a command, and looks at its answer. */
async function curl(command: string | undefined, campaignId = ""): Promise<string> {
  const { status, stdout, stderr } = await runAsItStands(`${command} -sS --fail-with-body`, {
    FUXI_URL: origin.origin,
    FUXI_API_KEY: apiKey,
    CAMPAIGN_ID: campaignId,
  });
  expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.each(["en", "zh"])(
  "sms.%s.md: five calls lead from nothing to messages with links, and to their clicks",
  // Another test may change the default domain for a moment.
  { retry: 1 },
  async (language) => {
    const guide = readFileSync(`docs/guides/sms.${language}.md`, "utf8");
    const part = guide.split(/^## /m).find((one) => one.includes("**1. ")) ?? "";
    const commands = commandsIn(part.split(/^### /m)[0] ?? "");
    expect(commands).toHaveLength(5);
    const [create, add, list, clicked, count] = commands;
    const { id } = JSON.parse(await curl(create));
    const messages = JSON.parse(await curl(add, id));
    expect(messages).toMatchObject([
      {
        messageId: "order-1",
        status: "ready",
        text: `Hi Li, your offer: ${messages[0].shortLink} until Sunday`,
      },
      { messageId: "order-2", status: "ready", parts: 1, cost: "0.045" },
    ]);
    const lines = (await curl(list, id)).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(
      messages.map(({ text }: { text: string }) => text),
    );
    expect(JSON.parse(await curl(clicked, id))).toEqual([]);
    const link = new URL(messages[1].shortLink);
    const visit = await send(`${origin.origin}${link.pathname}`, {
      headers: { Host: link.host, "User-Agent": browser },
    });
    expect(visit.status).toBe(302);
    const findClicked = async () => JSON.parse(await curl(clicked, id));
    await expect
      .poll(findClicked, { interval: 500 })
      .toMatchObject([{ messageId: "order-2", clicks: 1 }]);
    expect(JSON.parse(await curl(count, id))).toMatchObject({
      recipients: 2,
      clicked: 1,
      cost: "0.09",
    });
  },
);
