/** Simulated days of a domain, for tests of statistics: seeded, so that each run measures the same. */

export type Random = () => number;

export interface SimulatedDay {
  /** By people, in any browser. */
  visits: number;
  /** Visits in the in-app browser. */
  inApp: number;
}

/** mulberry32: uniform numbers from 0 to 1. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function poisson(random: Random, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let [count, product] = [0, random()];
  const end = Math.exp(-mean);
  while (product > end) {
    count += 1;
    product *= random();
  }
  return count;
}

export interface Traffic {
  /** Usual visits of a day. */
  visits: number;
  /** Usual share of the app. */
  share: number;
  /** Spread of the daily logarithm of all visits. */
  visitsSpread: number;
  /** Spread of the share’s daily log odds, which depend on the day before. */
  shareSpread: number;
  memory: number;
  /** On Saturdays and Sundays: factors of the visits, and of the odds of the share. */
  weekend: { visits: number; odds: number };
  /** Campaigns a day, in the app and elsewhere, each for a few days with many times the usual visits. */
  campaigns: number;
  /** Random walk of the log odds, a day. */
  drift: number;
}

export interface Block {
  /** The moment, in days: 60.5 is noon. */
  at: number;
  /** The part of the visits that still arrives. */
  remaining: number;
  /** The part of the others that arrives from a browser. */
  moved: number;
}

interface Campaign {
  inApp: boolean;
  visits: number;
}

/** Whole days, oldest first. */
export function simulateDays(
  random: Random,
  traffic: Traffic,
  count: number,
  block?: Block,
): SimulatedDay[] {
  const usualOdds = Math.log(traffic.share / (1 - traffic.share));
  let [deviation, walk, campaign] = [0, 0, { inApp: false, visits: 0 }];
  const days: SimulatedDay[] = [];
  for (let day = 0; day < count; day++) {
    const weekend = day % 7 > 4;
    const { memory, shareSpread } = traffic;
    deviation = memory * deviation + Math.sqrt(1 - memory ** 2) * shareSpread * normal(random);
    walk += traffic.drift * normal(random);
    campaign = nextCampaign(random, traffic, campaign);
    const odds = usualOdds + deviation + walk + (weekend ? Math.log(traffic.weekend.odds) : 0);
    const share = 1 / (1 + Math.exp(-odds));
    const all =
      traffic.visits *
      (weekend ? traffic.weekend.visits : 1) *
      Math.exp(traffic.visitsSpread * normal(random));
    const inCampaign = campaign.visits * (campaign.inApp ? 0.92 : 0.03);
    const inApp = all * share + inCampaign;
    const others = all * (1 - share) + campaign.visits - inCampaign;
    const lost = inApp * lostOf(block, day);
    const kept = poisson(random, inApp - lost);
    days.push({
      inApp: kept,
      visits: kept + poisson(random, others + lost * (block?.moved ?? 0)),
    });
  }
  return days;
}

function nextCampaign(random: Random, traffic: Traffic, running: Campaign): Campaign {
  if (random() < traffic.campaigns) {
    return { inApp: random() < 0.5, visits: traffic.visits * (1 + 19 * random()) };
  }
  // Most visits of a message are those of its first hours.
  return { ...running, visits: running.visits * 0.35 };
}

/** The part of a day’s visits in the app that a block prevents. */
function lostOf(block: Block | undefined, day: number): number {
  if (!block) return 0;
  return (1 - block.remaining) * Math.min(1, Math.max(0, day + 1 - block.at));
}
