export interface LiveClick {
  /** Contains the time from which a broken connection resumes. */
  id: string;
  timestamp: string;
  linkId: string;
  shortLink: string;
  url: string;
  country: string | null;
  region: string | null;
  city: string | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  referer: string | null;
  trigger: "qr" | "link";
  bot: boolean;
}
