/** A process that needs an access token: prints it. */
import { closeRedis, redis, redisReady } from "#lib/platform/redis";
import { findToken } from "#lib/platform/wechat";

const [, , appId = "", secret = ""] = process.argv;
await redisReady(redis(), 20_000);
// The parent starts all of them at once.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const token = await findToken({ appId, secret });
process.stdout.write(`${JSON.stringify(token)}\n`);
await closeRedis();
process.exit(0);
