/**
 * The links of the demo: a small outdoor brand and its campaigns. Destinations are below the reserved `.example`. A
 * line is: name, path of the destination, title, tags, share of the clicks, age in days, channel.
 */

export type Channel = "mail" | "social" | "search" | "print" | "sms" | "partner";

export interface DemoLink {
  name: string;
  path: string;
  title: string;
  tags: string[];
  weight: number;
  ageDays: number;
  channel: Channel;
}

export const demoTags = [
  { name: "campaign", color: "blue" },
  { name: "newsletter", color: "purple" },
  { name: "print", color: "brown" },
  { name: "social", color: "pink" },
  { name: "sms", color: "green" },
  { name: "partner", color: "yellow" },
  { name: "support", color: "gray" },
  { name: "中国", color: "red" },
] as const;

type CatalogueLine = [string, string, string, string, number, number, Channel];

const lines: CatalogueLine[] = [
  ["winter", "sale/winter", "Winter sale: 30 % on insulated jackets", "campaign", 100, 21, "mail"],
  ["new-boots", "boots/ridge-2", "Ridge 2: the boot, redrawn", "campaign social", 86, 34, "social"],
  ["trail-map", "maps/autumn", "Twelve autumn trails with maps", "print", 64, 62, "print"],
  ["letter-46", "journal/46", "Issue 46: nights below zero", "newsletter", 58, 9, "mail"],
  ["letter-45", "journal/45", "Issue 45: how we mend", "newsletter", 52, 16, "mail"],
  ["letter-44", "journal/44", "Issue 44: all about wool", "newsletter", 47, 23, "mail"],
  ["letter-43", "journal/43", "Issue 43: light packing", "newsletter", 41, 30, "mail"],
  ["letter-42", "journal/42", "Issue 42: first frost", "newsletter", 38, 37, "mail"],
  ["parcel", "orders/track", "Track your parcel", "sms support", 90, 96, "sms"],
  ["pickup", "orders/pickup", "Your order is ready for pickup", "sms", 61, 80, "sms"],
  ["review", "orders/review", "How was it? Two questions", "sms", 33, 55, "sms"],
  ["poster-hall", "stores/berlin", "Poster at Berlin Hauptbahnhof", "print", 44, 48, "print"],
  ["hangtag", "care/wool", "Care guide on the hangtag", "print support", 72, 98, "print"],
  ["box-insert", "club", "Insert in the box: join the club", "print", 50, 90, "print"],
  ["window", "stores/munich", "Shop window, Munich", "print", 27, 40, "print"],
  ["reel-tent", "tents/lark", "Reel: the Lark in two minutes", "social", 77, 12, "social"],
  ["reel-stove", "stoves/ember", "Reel: coffee at minus ten", "social", 69, 19, "social"],
  ["bio", "links", "Link in bio", "social", 95, 99, "social"],
  ["live", "events/live", "Live from the workshop", "social", 30, 5, "social"],
  [
    "thread",
    "journal/footprint",
    "Thread: what a jacket weighs on the world",
    "social",
    36,
    26,
    "social",
  ],
  ["hikers-club", "partners/hikers", "Hikers' club: members' price", "partner", 29, 70, "partner"],
  [
    "podcast",
    "partners/podcast",
    "As heard on the long way home",
    "partner campaign",
    43,
    44,
    "partner",
  ],
  ["hut-guide", "partners/huts", "Guide to 40 mountain huts", "partner", 35, 66, "partner"],
  ["blog-tests", "tests/2026", "Gear tests of a friend's blog", "partner", 24, 58, "partner"],
  ["jobs", "jobs", "We are hiring", "social", 18, 75, "search"],
  ["size-guide", "help/sizes", "Which size fits?", "support", 40, 94, "search"],
  ["returns", "help/returns", "Send something back", "support", 31, 97, "search"],
  ["repair", "help/repair", "Book a repair", "support", 34, 88, "search"],
  ["warranty", "help/warranty", "Warranty for life, explained", "support", 16, 92, "search"],
  ["gift-card", "gifts", "Gift cards", "campaign", 39, 14, "search"],
  ["advent", "advent", "24 doors", "campaign newsletter", 48, 3, "mail"],
  ["black-week", "sale/black-week", "Fair week instead of Black Friday", "campaign", 83, 7, "mail"],
  ["preorder", "boots/ridge-2/preorder", "Be the first on the Ridge", "campaign", 22, 52, "mail"],
  ["survey", "survey/autumn", "Five minutes for a better tent", "newsletter", 19, 28, "mail"],
  ["wechat", "zh/winter", "冬季新品：轻量羽绒", "中国 social", 74, 18, "social"],
  ["xiaohongshu", "zh/boots", "小红书同款徒步鞋", "中国 social", 56, 25, "social"],
  ["douyin", "zh/live", "直播间专属优惠", "中国 campaign", 46, 11, "social"],
  ["sms-cn", "zh/orders", "您的包裹已发货", "中国 sms", 63, 60, "sms"],
  ["store-shanghai", "zh/stores/shanghai", "上海门店：线下试穿预约", "中国 print", 37, 42, "print"],
  ["membership-cn", "zh/club", "会员日双倍积分", "中国 newsletter", 28, 33, "mail"],
];

export const demoLinks: DemoLink[] = lines.map(
  ([name, path, title, tags, weight, ageDays, channel]) => ({
    name,
    path,
    title,
    tags: tags.split(" "),
    weight,
    ageDays,
    channel,
  }),
);
