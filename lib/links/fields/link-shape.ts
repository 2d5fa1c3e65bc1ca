import { z } from "zod";
import { insideApps, rules, testVariants } from "#lib/links/link-cache/schema";
import {
  type DubName,
  dubFieldList,
  type FieldName,
  type FieldsWith,
  type KindOf,
  type OwnName,
  ownFieldList,
} from "#lib/links/link-columns/schema";
import { linkOrigin } from "#lib/links/link-rows/schema";
import { qrDesign } from "#lib/links/qr-design/schema";

const text = z.string().nullable();

const kindShapes = {
  uuid: z.string(),
  owner: z.string(),
  creator: text,
  name: z.string(),
  time: z.string(),
  text,
  url: text,
  appUrl: text,
  id: text,
  ids: z.array(z.string()),
  folder: text,
  flag: z.boolean(),
  choice: z.boolean().nullable(),
  count: z.number().nullable(),
  status: z.number(),
  moment: text,
  total: z.number(),
  nothing: z.null(),
};

const specialShapes = {
  geo: z.record(z.string(), z.string()).nullable(),
  tags: z.array(z.object({ id: z.string(), name: z.string(), color: z.string() })),
  testVariants: testVariants.nullable(),
  retiresAt: text.optional().describe("Only if the link has its own date. null: it never retires."),
  retirementDue: z
    .string()
    .nullable()
    .describe(
      "When it retires unless it is visited: by default, links created with the API do so 730 days after their last visit or their creation (365 on the Free plan). null: never, as for links of people, and links with a QR design or a scan.",
    ),
  retiredAt: z.string().optional().describe("Visits get 410 since then."),
  rules: rules.optional(),
  insideApps: z.object(insideApps.shape).optional(),
  forwardPath: z.literal(true).optional(),
  formId: z
    .string()
    .optional()
    .describe("The form that visitors fill in before they’re redirected."),
  qr: z.object(qrDesign.shape).optional(),
  origin: z.object(linkOrigin.shape).optional(),
} satisfies Partial<Record<FieldName, z.ZodType>> & Record<JsonName, z.ZodType>;

type JsonName = Extract<FieldsWith<{ kind: "json" }>, SentName>;
type SentName = DubName | OwnName;
type Special = typeof specialShapes;
type KindShape<Name extends SentName> =
  KindOf<Name> extends keyof typeof kindShapes ? (typeof kindShapes)[KindOf<Name>] : never;
type SetShape<Shape extends z.ZodType> =
  Shape extends z.ZodNullable<infer Value> ? z.ZodOptional<Value> : z.ZodOptional<Shape>;

type Shapes = {
  [Name in SentName]: Name extends keyof Special
    ? Special[Name]
    : Name extends OwnName
      ? SetShape<KindShape<Name>>
      : KindShape<Name>;
};

/** Every field of Dub is always present. Other fields only appear when they are set. */
export const linkShape = z.object(shapesOf());

/** Sound because it does what `Shapes` says. */
function shapesOf(): Shapes {
  const special = new Map<string, z.ZodType>(Object.entries(specialShapes));
  const ofKind = new Map<string, z.ZodType>(Object.entries(kindShapes));
  const always = dubFieldList.map(({ name, kind }) => [
    name,
    special.get(name) ?? ofKind.get(kind),
  ]);
  const whenSet = ownFieldList.map(({ name, kind }) => {
    const shape = ofKind.get(kind);
    const value = shape instanceof z.ZodNullable ? shape.unwrap() : shape;
    return [name, special.get(name) ?? (value && z.optional(value))];
  });
  return Object.fromEntries([...always, ...whenSet]) as Shapes;
}

export type Link = z.infer<typeof linkShape>;

export const briefShape = z.object({ id: z.string(), key: z.string(), shortLink: z.string() });
export type LinkBrief = z.infer<typeof briefShape>;
