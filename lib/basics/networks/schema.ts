import { z } from "zod";

const networkAdvice =
  "Use an IP address or network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.";

export const network = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], networkAdvice)
  // Requests never have IPv4 mapped to IPv6.
  .refine((text) => !/^[0:]*:ffff:/i.test(text), "Use the plain IPv4 address, without ::ffff:.");
