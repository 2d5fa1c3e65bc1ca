/**
 * Every setting of Fuxi: its name, its meaning, its parser; by subject, in the order of `.env.example`, which is generated
 * from this table. A test compares them.
 */
import { addressesSettings } from "./settings/addresses.ts";
import { billingSettings } from "./settings/billing.ts";
import { destinationSettings } from "./settings/destinations.ts";
import { operationSettings } from "./settings/operation.ts";
import { outreachSettings } from "./settings/outreach.ts";
import { peopleSettings } from "./settings/people.ts";
import { storesSettings } from "./settings/stores.ts";
import { wechatSettings } from "./settings/wechat.ts";

export const settings = {
  ...storesSettings,
  ...addressesSettings,
  ...destinationSettings,
  ...peopleSettings,
  ...operationSettings,
  ...billingSettings,
  ...outreachSettings,
  ...wechatSettings,
};

type Settings = typeof settings;
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]["parse"]> };
