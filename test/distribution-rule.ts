/** Which tables of a statement, of those that Citus distributes, are used without naming their workspace. */
import { parseSync } from "libpg-query";
import { distributedTables } from "#lib/analytics/time-slots";

const schema = "analytics";
const distributed = new Set(distributedTables.map((name) => name.replace(`${schema}.`, "")));
const distributionColumn = "workspace_pk";

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Needs `loadModule()` of the parser once before. */
export function tablesWithoutWorkspace(text: string): string[] {
  const found = new Set<string>();
  visit(parseSync(text), found);
  return [...found].sort();
}

function visit(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) visit(one, found);
  if (!isNode(value)) return;
  for (const [kind, node] of Object.entries(value)) {
    if (isNode(node)) checkScope(kind, node, found);
    visit(node, found);
  }
}

/** A statement or a part of it with tables of its own. */
function checkScope(kind: string, node: Node, found: Set<string>): void {
  if (kind === "InsertStmt") checkInsert(node, found);
  if (!["SelectStmt", "UpdateStmt", "DeleteStmt"].includes(kind)) return;
  const joined = [...listOf(node["fromClause"]), ...listOf(node["usingClause"])];
  const tables = joined.flatMap(tablesOf);
  if (isNode(node["relation"])) tables.push(node["relation"]);
  const conditions = [node["whereClause"], ...joined.flatMap(qualsOf)].flatMap(conjunctsOf);
  for (const table of tables) {
    const name = String(table["relname"]);
    if (!distributed.has(name) || !isOfAnalytics(table)) continue;
    const alias = isNode(table["alias"]) ? String(table["alias"]["aliasname"]) : name;
    if (!conditions.some((condition) => namesWorkspace(condition, alias, tables.length))) {
      found.add(name);
    }
  }
}

function checkInsert(node: Node, found: Set<string>): void {
  const table = node["relation"];
  if (!(isNode(table) && distributed.has(String(table["relname"])))) return;
  const columns = listOf(node["cols"]).map((one) => textOf(one, "ResTarget", "name"));
  if (!columns.includes(distributionColumn)) found.add(String(table["relname"]));
}

/** A table of the schema `analytics`, not a part of the statement with the same name. */
function isOfAnalytics(table: Node): boolean {
  return table["schemaname"] === schema;
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

/** Whether a condition says that the workspace of a table equals something. */
function namesWorkspace(condition: unknown, alias: string, tables: number): boolean {
  const equals = isNode(condition) ? condition["A_Expr"] : undefined;
  if (!isNode(equals) || equals["kind"] !== "AEXPR_OP") return false;
  if (textOf(listOf(equals["name"])[0], "String", "sval") !== "=") return false;
  return [equals["lexpr"], equals["rexpr"]].some((side) => {
    const column = isNode(side) ? side["ColumnRef"] : undefined;
    const fields = isNode(column) ? listOf(column["fields"]) : [];
    const names = fields.map((field) => textOf(field, "String", "sval"));
    if (names.at(-1) !== distributionColumn) return false;
    return names.length > 1 ? names.at(-2) === alias : tables === 1;
  });
}
