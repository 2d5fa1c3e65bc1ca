/**
 * Which tables of a statement, of those that Citus distributes, are used without naming what they are distributed by: for
 * clicks their workspace, for links their primary keys, which the statement gets as parameters.
 *
 * Links may also be asked for by their workspace or tag, of which each server has an index, and by rows that another part of
 * the statement finds. But not joined with a table of the coordinator, to which all these links would be sent.
 */
import { parseSync } from "libpg-query";
import { distributedTables } from "../prisma/distribute.ts";

interface Distribution {
  schema: string | undefined;
  column: string;
  areLinks: boolean;
}

const distributions = new Map<string, Distribution>(
  distributedTables.map(({ table, column, with: other }) => {
    const [name = "", schema] = table.split(".").reverse();
    return [name, { schema, column, areLinks: other === "link" }];
  }),
);

/** Each server has an index of links by these. */
const indexedColumns = ["workspace_pk", "tag_pk"];

/** A table of a scope. */
interface Used extends Distribution {
  name: string;
  alias: string;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Needs `loadModule()` of the parser once before. */
export function tablesWithoutKey(text: string): string[] {
  const parts = new Set<string>();
  const found = new Set<string>();
  const parsed = parseSync(text);
  visit(parsed, (kind, node) => {
    if (kind === "CommonTableExpr") parts.add(String(node["ctename"]));
  });
  visit(parsed, (kind, node) => checkScope(kind, node, parts, found));
  return [...found].sort();
}

function visit(value: unknown, see: (kind: string, node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  if (!isNode(value)) return;
  for (const [kind, node] of Object.entries(value)) {
    if (isNode(node)) see(kind, node);
    visit(node, see);
  }
}

/** A statement or a part of it with tables of its own. `parts`: what it names with WITH. */
function checkScope(
  kind: string,
  node: Node,
  parts: ReadonlySet<string>,
  found: Set<string>,
): void {
  if (kind === "InsertStmt") checkInsert(node, found);
  if (!["SelectStmt", "UpdateStmt", "DeleteStmt"].includes(kind)) return;
  const joined = [...listOf(node["fromClause"]), ...listOf(node["usingClause"])];
  const tables = joined.flatMap(tablesOf);
  if (isNode(node["relation"])) tables.push(node["relation"]);
  const read = tables.filter((table) => table["schemaname"] || !parts.has(nameOf(table)));
  const used = read.flatMap((table) => distributionOf(table) ?? []);
  const conditions = [node["whereClause"], ...joined.flatMap(qualsOf)].flatMap(conjunctsOf);
  const isAlone = tables.length === 1;
  const isNamed = (table: Used) => conditions.some((one) => namesKey(one, table, isAlone));
  const isAsked = (table: Used) =>
    conditions.some(
      (one) => namesIndexed(one, table, isAlone) || namesOthers(one, table, used, isAlone),
    );
  const meetsCoordinator = read.length > used.length;
  const named = withTheirs(
    used,
    conditions,
    (table) => isNamed(table) || (!meetsCoordinator && isAsked(table)),
  );
  for (const table of used) if (!named.has(table)) found.add(table.name);
}

function nameOf(table: Node): string {
  return String(table["relname"]);
}

/** The tables for which this holds, and those whose rows are with theirs. */
function withTheirs(
  used: readonly Used[],
  conditions: unknown[],
  holds: (table: Used) => boolean,
): ReadonlySet<Used> {
  const named = new Set(used.filter(holds));
  for (let count = -1; count < named.size; ) {
    count = named.size;
    for (const table of used) {
      if (conditions.some((one) => equalsNamed(one, table, named))) named.add(table);
    }
  }
  return named;
}

function checkInsert(node: Node, found: Set<string>): void {
  const table = isNode(node["relation"]) ? distributionOf(node["relation"]) : undefined;
  if (!table) return;
  const columns = listOf(node["cols"]).map((one) => textOf(one, "ResTarget", "name"));
  if (!columns.includes(table.column)) found.add(table.name);
}

/** Undefined: not distributed, or a part of the statement with the same name. */
function distributionOf(table: Node): Used | undefined {
  const name = nameOf(table);
  const distribution = distributions.get(name);
  if (!distribution || distribution.schema !== table["schemaname"]) return undefined;
  const alias = isNode(table["alias"]) ? String(table["alias"]["aliasname"]) : name;
  return { ...distribution, name, alias };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, kind: string, field: string): string {
  const node = isNode(value) ? value[kind] : undefined;
  return isNode(node) ? String(node[field]) : "";
}

function tablesOf(value: unknown): Node[] {
  if (!isNode(value)) return [];
  if (isNode(value["RangeVar"])) return [value["RangeVar"]];
  const join = value["JoinExpr"];
  return isNode(join) ? [...tablesOf(join["larg"]), ...tablesOf(join["rarg"])] : [];
}

function qualsOf(value: unknown): unknown[] {
  const join = isNode(value) ? value["JoinExpr"] : undefined;
  return isNode(join) ? [join["quals"], ...qualsOf(join["larg"]), ...qualsOf(join["rarg"])] : [];
}

/** The conditions that all must hold. */
function conjunctsOf(value: unknown): unknown[] {
  const both = isNode(value) ? value["BoolExpr"] : undefined;
  if (isNode(both) && both["boolop"] === "AND_EXPR")
    return listOf(both["args"]).flatMap(conjunctsOf);
  return value === undefined ? [] : [value];
}

/** Whether a condition says what the rows of a table are distributed by. */
function namesKey(condition: unknown, table: Used, isAlone: boolean): boolean {
  const [left, right] = sidesOf(condition);
  return [
    [left, right],
    [right, left],
  ].some(
    ([column, value]) =>
      isColumn(column, table, isAlone) && (table.areLinks ? isGiven(value) : !isSeveral(value)),
  );
}

/** Whether a condition says the workspace or tag of links. */
function namesIndexed(condition: unknown, table: Used, isAlone: boolean): boolean {
  if (!table.areLinks) return false;
  return indexedColumns.some((column) => namesKey(condition, { ...table, column }, isAlone));
}

/** Whether a condition says that links are those of a part of the statement: rows of a subquery, or of the one around it. */
function namesOthers(
  condition: unknown,
  table: Used,
  used: readonly Used[],
  isAlone: boolean,
): boolean {
  if (!table.areLinks) return false;
  const sides = sidesOf(condition);
  if (!sides.some((side) => isColumn(side, table, isAlone))) return false;
  return sides.some((side) => {
    if (isNode(side) && "Found" in side) return true;
    const [alias, column] = columnOf(side);
    return column !== undefined && !used.some((own) => own.alias === alias);
  });
}

/** Whether a condition says that a table's rows are with those of another link, which is named. */
function equalsNamed(condition: unknown, table: Used, named: ReadonlySet<Used>): boolean {
  const [left, right] = sidesOf(condition);
  if (!table.areLinks) return false;
  return [...named].some(
    (other) =>
      other.areLinks &&
      ((isColumn(left, table, false) && isColumn(right, other, false)) ||
        (isColumn(right, table, false) && isColumn(left, other, false))),
  );
}

function sidesOf(condition: unknown): unknown[] {
  const equals = isNode(condition) ? condition["A_Expr"] : undefined;
  if (!isNode(equals)) return sidesOfSubquery(condition);
  if (textOf(listOf(equals["name"])[0], "String", "sval") !== "=") return [];
  if (equals["kind"] === "AEXPR_OP") return [equals["lexpr"], equals["rexpr"]];
  const isList = ["AEXPR_OP_ANY", "AEXPR_IN"].includes(String(equals["kind"]));
  return isList ? [equals["lexpr"], { Several: equals["rexpr"] }] : [];
}

/** The sides of `column IN (SELECT …)`; with several columns, of the first. */
function sidesOfSubquery(condition: unknown): unknown[] {
  const within = isNode(condition) ? condition["SubLink"] : undefined;
  if (!isNode(within) || within["subLinkType"] !== "ANY_SUBLINK") return [];
  const tested = within["testexpr"];
  const row = isNode(tested) ? tested["RowExpr"] : undefined;
  const [column] = isNode(row) ? listOf(row["args"]) : [tested];
  return [column, { Found: within["subselect"] }];
}

function isColumn(side: unknown, table: Used, isAlone: boolean): boolean {
  const names = columnOf(side);
  if (names.at(-1) !== table.column) return false;
  return names.length > 1 ? names.at(-2) === table.alias : isAlone;
}

/** The name of a column, after that of its table if it has one. */
function columnOf(side: unknown): string[] {
  const column = isNode(side) ? side["ColumnRef"] : undefined;
  const fields = isNode(column) ? listOf(column["fields"]) : [];
  return fields.map((field) => textOf(field, "String", "sval"));
}

/** Links are asked for together; a workspace is one. */
function isSeveral(value: unknown): boolean {
  return isNode(value) && "Several" in value;
}

/** Parameters, constants and lists of them. */
function isGiven(value: unknown): boolean {
  if (!isNode(value)) return false;
  if ("ParamRef" in value || "A_Const" in value) return true;
  const { TypeCast: cast, List: list, Several: several } = value;
  if (several) return isGiven(several);
  if (isNode(cast)) return isGiven(cast["arg"]);
  return isNode(list) && listOf(list["items"]).every(isGiven);
}
