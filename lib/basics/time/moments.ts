/** A date and time in bodies and queries. */
import { z } from "zod";

const message = "Use a date and time from 1970 on, such as 2026-01-31T12:00:00Z.";

/** With its offset. PostgreSQL has no year 0, and nothing here is older than computers. */
export const moment = z.iso
  .datetime({ offset: true, message })
  .refine((text) => Date.parse(text) >= 0, { message });
