/** Hosts, domains and servers, and the lists of destinations that all workspaces share. */
import {
  address,
  addresses,
  headerName,
  host,
  hostPatterns,
  icpNumber,
  integer,
  listSource,
  longerThan,
  oneOf,
  optional,
  origin,
  privateNetworks,
  proxies,
  resolvers,
  secret,
  setting,
  text,
} from "../parsers.ts";
import { domainAddress } from "../values.ts";

export const addressesSettings = {
  FUXI_URL: setting("Public origin of the dashboard and the API.", origin, "http://localhost:3000"),
  FUXI_SHORT_HOST: optional(
    "Host of new short links, such as go.example.com. Empty: the host of FUXI_URL. Where customers’ own domains point is FUXI_DOMAINS_TARGET.",
    host,
  ),
  FUXI_PUBLIC_SHORTENER: optional(
    "Short host on which visitors create links without an account. Use it for nothing else: if a blocklist adds it, other links are not affected. Empty: off.",
    host,
  ),
  FUXI_DOMAINS_TRUSTED: setting(
    "yes: custom domains work without verification. no: they have to be verified by DNS first.",
    oneOf("yes", "no"),
    "no",
  ),
  FUXI_DOMAINS_TARGET: optional(
    "Host that the CNAME records of customers’ own domains point to. Empty: FUXI_SHORT_HOST.",
    host,
  ),
  FUXI_DOMAINS_ADDRESSES: setting(
    "Comma-separated IP addresses for custom domains without a CNAME. Empty: the IP addresses of FUXI_DOMAINS_TARGET.",
    addresses,
    "",
  ),
  FUXI_DOMAIN_CHECKER: optional(
    'URL of a service that says which apps block a custom domain, asked once a day, with {domain} for the domain. It has to answer with JSON such as {"blocked": ["wechat"]}. Empty: off.',
    domainAddress,
  ),
  FUXI_DNS_SERVERS: setting(
    "Comma-separated DNS resolvers for verifying domains and fetching link metadata, with an optional port. Empty: the resolvers of the OS.",
    resolvers,
    "",
  ),
  FUXI_CERTIFICATE_TOKEN: secret(
    optional(
      "Token for asking on the public port whether a domain may get a certificate. Empty: only FUXI_LOCAL_PORT answers.",
      longerThan(24),
    ),
  ),
  FUXI_FETCH: setting(
    "Which servers Fuxi may call for people: titles and icons of pages, checks of destinations, webhooks, SMS gateways and the OpenID Connect providers of workspaces. public: those on the internet. none: none of them, for machines without internet access; webhooks, SMS gateways and these providers then only reach FUXI_PRIVATE_NETWORKS. loopback: also this machine, for tests.",
    oneOf("public", "none", "loopback"),
    "public",
  ),
  FUXI_PRIVATE_NETWORKS: setting(
    "Comma-separated private networks that SMS gateways, webhooks and the OpenID Connect provider of a workspace may be in, such as ws_01K3ZV5M3EJ2Q4R8ZC7D0N6XWB=10.2.0.0/16:8080. The workspace is named by its ID, which the back office shows. Without a port: 80, 443, 8080 and 8443. This machine and its stores stay out of reach. Empty: public servers only.",
    privateNetworks,
    "",
  ),
  FUXI_WEB_URL: setting(
    "URL at which the front reaches the process that renders pages. Nobody else uses it; people use FUXI_URL.",
    address("http"),
    "http://127.0.0.1:3001",
  ),
  FUXI_ICP: optional(
    "ICP number of the website in mainland China, such as 京ICP备12345678号-1. Shown in the footer of public pages and of visitor pages on the domains of the instance. Empty: none.",
    icpNumber,
  ),
  FUXI_SOURCE_URL: optional(
    "Where people find the source code of this instance: an https URL, linked in the footer of public pages. The licence asks for it if you change Fuxi. Empty: no link.",
    address("https"),
  ),
  FUXI_TRUSTED_PROXIES: setting(
    "Comma-separated IP addresses or networks of proxies whose X-Forwarded-* headers are trusted.",
    proxies,
    "",
  ),
  FUXI_DATA_CENTERS: optional(
    "Path of a text file with networks of data centers, one in CIDR notation per line. Visits from there count as bots. Empty: bots are recognized by their headers only.",
    text,
  ),
  FUXI_COUNTRY_HEADER: optional(
    "Header in which trusted proxies send the visitor’s country, such as CF-IPCountry. They have to set it in every request. Empty: the country is looked up by IP address.",
    headerName,
  ),
  FUXI_DESTINATIONS_ALLOW: setting(
    "Comma-separated hosts that links may redirect to, such as example.com, *.example.com or example.com/shop. Empty, without FUXI_DESTINATIONS_ALLOW_SOURCE: all.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_ALLOW_SOURCE: optional(
    "URL or absolute path of a JSON file with more allowed hosts, an array or an object with hosts as values.",
    listSource,
  ),
  FUXI_DESTINATIONS_BLOCK: setting(
    "Comma-separated hosts that links may not redirect to, with their subdomains.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_BLOCK_SOURCE: optional(
    "URL or absolute path of a JSON file with more blocked hosts.",
    listSource,
  ),
  FUXI_DESTINATIONS_WARN: setting(
    "Comma-separated hosts before which visitors see a warning page, with their subdomains.",
    hostPatterns,
    "",
  ),
  FUXI_DESTINATIONS_WARN_SOURCE: optional(
    "URL or absolute path of a JSON file with more such hosts.",
    listSource,
  ),
  FUXI_DESTINATIONS_POLL_SECONDS: setting(
    "Seconds between two reads of such a file, also of those that workspaces name.",
    integer(1, 86_400),
    "300",
  ),
};
