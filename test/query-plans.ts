/** Lets tests see how PostgreSQL executes a statement, and how many rows each step reads. */
import { query, type Statement } from "#lib/platform/postgres";

export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

/** Executes the statement, and returns the steps of its plan. */
export async function planOf({ text, values }: Statement): Promise<PlanNode[]> {
  const explained = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
  const [row] = await query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>({ text: explained, values });
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  return row ? nodesOf(row["QUERY PLAN"][0].Plan) : [];
}

export function rowsOf(node: PlanNode): number {
  return node["Actual Rows"] * node["Actual Loops"];
}
