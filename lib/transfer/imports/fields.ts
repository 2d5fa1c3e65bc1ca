/**
 * The possible fields of a column: those of a new link that fit into a cell, and its short link at another system; with
 * their usual headings, among them those of the exports of Bitly, Rebrandly, Dub, Short.io, TinyURL, BL.INK, Sniply,
 * T2M, Firebase Dynamic Links, YOURLS, Kutt and tiny.cc.
 */

type CellKind = "text" | "address" | "flag" | "number" | "moment" | "json" | "names" | "origin";

/** Field → how its cells are parsed, and its other names. Names are compared without case, spaces and punctuation. */
const fields = {
  url: [
    "address",
    "link",
    "longurl",
    "destination",
    "destinationurl",
    "targeturl",
    "target",
    "originalurl",
    "website",
    "webaddress",
    "landingpage",
    "href",
    "deeplink",
    "redirecturl",
    "redirectto",
    "fullurl",
    "longlink",
    "网址",
    "链接",
    "目标链接",
    "目标网址",
    "目标地址",
    "长链接",
    "长网址",
    "原始链接",
    "原链接",
    "跳转链接",
    "落地页",
  ],
  key: [
    "text",
    "slug",
    "backhalf",
    "alias",
    "keyword",
    "path",
    "shortcode",
    "customkey",
    "customslug",
    "slashtag",
    "customalias",
    "urlkey",
    "urlcode",
    "hash",
    "shortid",
    "shortlinkkeyword",
    "linkkeyword",
    "endpoint",
    "ending",
    "短码",
    "短链后缀",
    "后缀",
    "别名",
    "自定义短码",
  ],
  shortLink: [
    "address",
    "shorturl",
    "shortenedurl",
    "shortenedlink",
    "shortaddress",
    "bitlink",
    "bitlyurl",
    "bitlylink",
    "tinyurl",
    "brandedlink",
    "brandedurl",
    "rebrandlylink",
    "dublink",
    "blink",
    "sniplyurl",
    "sniplink",
    "snipurl",
    "t2murl",
    "dynamiclink",
    "短链接",
    "短链",
    "短网址",
  ],
  customShortLink: ["address", "custombitlink", "custombitlinks", "customlink", "自定义短链接"],
  domain: [
    "text",
    "shortdomain",
    "customdomain",
    "domainname",
    "domainfullname",
    "brandeddomain",
    "hostname",
    "域名",
    "短域名",
    "短链域名",
  ],
  title: ["text", "linktitle", "linkname", "name", "socialtitle", "标题", "名称"],
  tagNames: ["names", "tags", "tag", "labels", "label", "标签"],
  tagIds: ["names", "tagid"],
  folder: ["text", "foldername", "folderid", "文件夹", "分组"],
  externalId: ["text", "extid", "externalreference", "reference", "外部id", "外部编号"],
  comments: ["text", "comment", "note", "notes", "remark", "remarks", "备注", "说明", "注释"],
  description: ["text", "desc", "linkdescription", "socialdescription", "描述", "简介"],
  image: ["address", "imageurl", "picture", "ogimage", "socialimagelink", "图片"],
  video: ["address", "videourl", "视频"],
  expiresAt: [
    "moment",
    "expires",
    "expiry",
    "expiration",
    "expirationdate",
    "expirydate",
    "validuntil",
    "autodeletedate",
    "expiresattime",
    "过期时间",
    "有效期",
    "到期时间",
    "失效时间",
  ],
  startsAt: ["moment", "starts", "startdate", "validfrom", "开始时间", "生效时间"],
  expiredUrl: ["address", "expirationurl", "过期链接", "过期跳转"],
  password: ["text", "passcode", "密码", "访问密码"],
  maxClicks: ["number", "clicklimit", "clickslimit", "最大点击数", "点击上限"],
  redirectStatus: ["number", "redirecttype", "statuscode", "跳转状态码"],
  utm_source: ["text", "utm来源"],
  utm_medium: ["text", "utm媒介"],
  utm_campaign: ["text", "utm活动"],
  utm_term: ["text"],
  utm_content: ["text"],
  ref: ["text", "referral"],
  prefix: ["text", "前缀"],
  keyLength: ["number", "短码长度"],
  tenantId: ["text", "租户", "客户id"],
  ios: ["address", "iosurl", "iostarget", "iphoneurl", "iosfallbacklink"],
  android: ["address", "androidurl", "androidtarget", "androidfallbacklink", "安卓"],
  geo: ["json", "geotargeting"],
  rules: ["json", "规则"],
  testVariants: ["json", "abtest"],
  testStartedAt: ["moment"],
  testCompletedAt: ["moment"],
  webhookIds: ["names"],
  archived: ["flag", "isarchived", "归档"],
  disabled: ["flag", "停用"],
  proxy: ["flag", "cloaking"],
  rewrite: ["flag", "framed"],
  doIndex: ["flag"],
  trackConversion: ["flag"],
  publicStats: ["flag"],
  forwardQuery: ["flag"],
  forwardPath: ["flag"],
  reuse: ["flag"],
  originSystem: ["origin"],
  originShortLink: ["origin"],
  originClicks: [
    "origin",
    "clicks",
    "totalclicks",
    "clickcount",
    "visitcount",
    "visits",
    "totalvisits",
    "hits",
    "点击数",
    "点击量",
  ],
  originCreatedAt: [
    "origin",
    "created",
    "createdat",
    "datecreated",
    "creationdate",
    "创建时间",
    "创建日期",
  ],
} as const satisfies Record<string, readonly [CellKind, ...string[]]>;

export type FieldName = keyof typeof fields;

/** Every possible field. Sound because they are the keys of the table, and it is not empty. */
export const fieldNames = Object.keys(fields) as [FieldName, ...FieldName[]];

export function kindOf(field: FieldName): CellKind {
  return fields[field][0];
}

/** The kind of problem of a value, where nothing else is known. */
export function issueOf(field: string): CellKind | "status" {
  if (field === "redirectStatus") return "status";
  const known = fieldNames.find((name) => name === field);
  return known ? kindOf(known) : "text";
}

/** A name in the form used for comparison. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const fieldOfHeading = new Map<string, FieldName>();
for (const field of fieldNames) {
  const [, ...others] = fields[field];
  for (const name of [field, ...others]) fieldOfHeading.set(folded(name), field);
}

/** The field that a heading names, if any; also where it has its name in parentheses: "Deep link (link)". */
export function fieldOf(heading: string): FieldName | undefined {
  const [, outside = "", inside = ""] = /^([^()]*)\(([^()]*)\)\s*$/.exec(heading) ?? [];
  for (const name of [heading, outside, inside]) {
    const field = fieldOfHeading.get(folded(name));
    if (field) return field;
  }
  return undefined;
}

/** Headings that name another field where a different column has the destination. */
const besideDestination: Readonly<Record<string, FieldName>> = {
  link: "shortLink",
  address: "key",
};

/** With a scheme, or a host with a dot. */
const urlPattern =
  /^(?:https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:[/?#]\S*)?)$/iu;

function isUrl(cell: string): boolean {
  return urlPattern.test(cell.trim());
}

/** Whether the first record is a heading: none of its cells is a URL. */
export function hasHeading(first: readonly string[]): boolean {
  return !first.some(isUrl);
}

/** The field of each column, by its heading; without one for the URL, the first column that contains URLs. */
export function guessMapping(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  width: number,
): (FieldName | null)[] {
  const used = new Set<FieldName>();
  const named = Array.from({ length: width }, (_, at) => fieldOf(headings?.[at] ?? ""));
  const isPlain = (at: number) => {
    const name = folded(headings?.[at] ?? "");
    return name === "url" || name in besideDestination;
  };
  const hasOther = named.some((field, at) => field === "url" && !isPlain(at));
  const mapping = named.map((strict, at) => {
    const plain = besideDestination[folded(headings?.[at] ?? "")];
    const field = hasOther && plain ? plain : strict;
    if (field === undefined || used.has(field)) return null;
    used.add(field);
    return field;
  });
  if (used.has("url")) return mapping;
  // Never the short link: a link to it would be a loop.
  const at = mapping.findIndex((field, column) => field === null && containsUrls(rows, column));
  if (at >= 0) mapping[at] = "url";
  return mapping;
}

/** Most cells of the column are URLs. */
function containsUrls(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
  return cells.length > 0 && cells.filter(isUrl).length * 2 > cells.length;
}

const slugPattern = /slug|back-?half|bitlink|short|alias|keyword|slashtag|短|后缀|别名/iu;
/** A host and one short segment. */
const shortUrlPattern = /^(?:https?:\/\/)?[\p{L}\p{N}.-]+\.\p{L}{2,}\/[^/?#\s]{1,40}$/iu;

/** The column without a field that seems to have the slugs, where none is mapped; undefined: there is none. */
export function findSlugColumn(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  mapping: readonly (FieldName | null)[],
): number | undefined {
  if (mapping.some((field) => field && slugFields.has(field))) return undefined;
  const isFree = (at: number) => mapping[at] === null;
  const byHeading = mapping.findIndex((_, at) => {
    const heading = headings?.[at] ?? "";
    const field = fieldOf(heading);
    return isFree(at) && ((field && slugFields.has(field)) || slugPattern.test(heading));
  });
  if (byHeading >= 0) return byHeading;
  const byCells = mapping.findIndex((_, at) => isFree(at) && containsShortUrls(rows, at));
  return byCells >= 0 ? byCells : undefined;
}

/** The fields that decide on the slug of a link. */
const slugFields: ReadonlySet<FieldName> = new Set(["key", "shortLink", "customShortLink"]);

/** All cells of the column are short URLs of one host. */
function containsShortUrls(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column]?.trim() ?? "").filter((cell) => cell !== "");
  const hosts = new Set(cells.map((cell) => cell.replace(/^https?:\/\//i, "").split("/")[0]));
  return cells.length > 0 && hosts.size === 1 && cells.every((cell) => shortUrlPattern.test(cell));
}
