/** A process that exchanges codes of WeChat: prints how many it had. */
import { exchangeWechatCodes } from "#lib/audience/wechat-exchange";
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { closeRedis } from "#lib/platform/redis";

await query(sql`SELECT 1`);
// The parent starts all of them at once.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdout.write(`${await exchangeWechatCodes()}\n`);
await closeRedis();
await closePostgres();
process.exit(0);
