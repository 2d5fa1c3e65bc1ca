/** The possible fields of a column: those of a new link that fit into a cell, with their usual headings. */

type CellKind = "text" | "address" | "flag" | "number" | "moment" | "json" | "names";

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
    "短码",
    "短链后缀",
    "后缀",
    "别名",
    "自定义短码",
  ],
  domain: ["text", "shortdomain", "customdomain", "域名", "短域名", "短链域名"],
  title: ["text", "linktitle", "name", "标题", "名称"],
  tagNames: ["names", "tags", "tag", "labels", "label", "标签"],
  tagIds: ["names", "tagid"],
  folder: ["text", "foldername", "folderid", "文件夹", "分组"],
  externalId: ["text", "extid", "externalreference", "reference", "外部id", "外部编号"],
  comments: ["text", "comment", "note", "notes", "remark", "remarks", "备注", "说明", "注释"],
  description: ["text", "desc", "描述", "简介"],
  image: ["address", "imageurl", "picture", "ogimage", "图片"],
  video: ["address", "videourl", "视频"],
  expiresAt: [
    "moment",
    "expires",
    "expiry",
    "expiration",
    "expirationdate",
    "expirydate",
    "validuntil",
    "过期时间",
    "有效期",
    "到期时间",
    "失效时间",
  ],
  startsAt: ["moment", "starts", "startdate", "validfrom", "开始时间", "生效时间"],
  expiredUrl: ["address", "expirationurl", "过期链接", "过期跳转"],
  password: ["text", "passcode", "密码", "访问密码"],
  maxClicks: ["number", "clicklimit", "最大点击数", "点击上限"],
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
  ios: ["address", "iosurl", "iostarget"],
  android: ["address", "androidurl", "androidtarget", "安卓"],
  geo: ["json", "geotargeting"],
  rules: ["json", "规则"],
  testVariants: ["json", "abtest"],
  testStartedAt: ["moment"],
  testCompletedAt: ["moment"],
  webhookIds: ["names"],
  archived: ["flag", "归档"],
  disabled: ["flag", "停用"],
  proxy: ["flag", "cloaking"],
  rewrite: ["flag", "framed"],
  doIndex: ["flag"],
  trackConversion: ["flag"],
  publicStats: ["flag"],
  forwardQuery: ["flag"],
  forwardPath: ["flag"],
  reuse: ["flag"],
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

/** The field that a heading names, if any. */
export function fieldOf(heading: string): FieldName | undefined {
  return fieldOfHeading.get(folded(heading));
}

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
  const mapping = Array.from({ length: width }, (_, at) => {
    const field = fieldOf(headings?.[at] ?? "");
    if (field === undefined || used.has(field)) return null;
    used.add(field);
    return field;
  });
  if (used.has("url")) return mapping;
  const at = mapping.findIndex((field, column) => field === null && containsUrls(rows, column));
  if (at >= 0) mapping[at] = "url";
  return mapping;
}

/** Most cells of the column are URLs. */
function containsUrls(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
  return cells.length > 0 && cells.filter(isUrl).length * 2 > cells.length;
}
