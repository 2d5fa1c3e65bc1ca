import { useFormatter } from "next-intl";

/** Writes dates with their time; a dash for none. */
export function useMoment(): (at: Date | string | null) => string {
  const format = useFormatter();
  return (at) =>
    at === null ? "–" : format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
}
