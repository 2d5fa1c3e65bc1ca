/** Lists of destinations that all workspaces share. */
import { hostPatterns, integer, listSource, optional, setting } from "../parsers.ts";

export const destinationSettings = {
  FUXI_DESTINATIONS_ALLOW: setting(
    "Comma-separated hosts that links may redirect to, such as example.com, *.example.com or example.com/shop. Empty, without FUXI_DESTINATIONS_ALLOW_SOURCE: all.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_ALLOW_SOURCE: setting(
    "URL or absolute path of a JSON file with more allowed hosts, an array or an object with hosts as values.",
    optional(listSource),
    "",
  ),
  FUXI_DESTINATIONS_BLOCK: setting(
    "Comma-separated hosts that links may not redirect to, with their subdomains.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_BLOCK_SOURCE: setting(
    "URL or absolute path of a JSON file with more blocked hosts.",
    optional(listSource),
    "",
  ),
  FUXI_DESTINATIONS_WARN: setting(
    "Comma-separated hosts before which visitors see a warning page, with their subdomains.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_WARN_SOURCE: setting(
    "URL or absolute path of a JSON file with more such hosts.",
    optional(listSource),
    "",
  ),
  FUXI_DESTINATIONS_POLL_SECONDS: setting(
    "Seconds between two reads of such a file, also of those that workspaces name.",
    integer(1, 86_400),
    "300",
  ),
};
