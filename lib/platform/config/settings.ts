/** Every setting. `.env.example` is generated from these tables. */
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
export type SettingName = keyof Settings;
export type Config = { readonly [Name in SettingName]: ReturnType<Settings[Name]["parse"]> };

/** A production instance sets these; the others fit most instances as they are. */
export const production: readonly SettingName[] = [
  "FUXI_URL",
  "HOST",
  "FUXI_TRUSTED_PROXIES",
  "DATABASE_URL",
  "REDIS_URL",
  "FUXI_CODE_KEY",
  "FUXI_CODE_TWEAK",
  "FUXI_SESSION_SECRET",
  "FUXI_SMTP_URL",
  "FUXI_MAIL_FROM",
];

/** Sound because the keys of a table are its names. */
const namesOf = (table: object) => Object.keys(table) as SettingName[];

export const subjects: Readonly<Record<string, readonly SettingName[]>> = {
  "Ports, folders and stores": namesOf(storesSettings),
  "Hosts, proxies and destinations": namesOf(addressesSettings),
  "Accounts, secrets and email": namesOf(peopleSettings),
  "Processes, capacity and monitoring": namesOf(operationSettings),
  "Plans and other services": namesOf(servicesSettings),
};
