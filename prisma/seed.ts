/**
 * What a new installation begins with: the owner whom FUXI_OWNER_EMAIL and FUXI_OWNER_PASSWORD name. Runs at every
 * start and does each thing once.
 */
import { setUpOwner } from "#lib/auth";
import { configOrExit } from "#lib/config";
import { closeAll, onClose } from "#lib/lifetime";
import { log } from "#lib/log";
import { closePostgres } from "#lib/postgres";
import { closeRedis, redis, redisReady } from "#lib/redis";

const redisWaitMs = 5_000;
const { FUXI_OWNER_EMAIL, FUXI_OWNER_PASSWORD, FUXI_API_KEY } = configOrExit();
onClose("postgres", closePostgres);
onClose("redis", () => closeRedis());
await redisReady(redis(), redisWaitMs);

if (FUXI_OWNER_EMAIL !== undefined && FUXI_OWNER_PASSWORD !== undefined) {
  const email = FUXI_OWNER_EMAIL;
  const owner = { email, password: FUXI_OWNER_PASSWORD, apiKey: FUXI_API_KEY };
  if (!(await setUpOwner(owner))) {
    log.warn({
      event: "owner.exists",
      text: `This installation belongs to somebody else; FUXI_OWNER_EMAIL ${email} was not set up.`,
    });
  }
}

await closeAll();
