/** A process that needs an access token, or a ticket: prints it. */
import { closeRedis, redis, redisReady } from "#lib/platform/redis";
import { fetchTicket, findToken } from "#lib/platform/wechat";

const [, , appId = "", secret = "", wanted = "token"] = process.argv;
await redisReady(redis(), 20_000);
// The parent starts all of them at once.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const find = wanted === "ticket" ? fetchTicket : findToken;
const found = await find({ appId, secret });
process.stdout.write(`${JSON.stringify(found)}\n`);
await closeRedis();
process.exit(0);
