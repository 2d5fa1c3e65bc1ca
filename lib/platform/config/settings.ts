/** Every setting, in the order of `.env.example`, which is generated from this table. */
import { addressesSettings } from "./settings/addresses.ts";
import { operationSettings } from "./settings/operation.ts";
import { peopleSettings } from "./settings/people.ts";
import { servicesSettings } from "./settings/services.ts";
import { storesSettings } from "./settings/stores.ts";

export const settings = {
  ...storesSettings,
  ...addressesSettings,
  ...peopleSettings,
  ...operationSettings,
  ...servicesSettings,
};

type Settings = typeof settings;
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]["parse"]> };
