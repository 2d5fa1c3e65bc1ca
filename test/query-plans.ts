/** How PostgreSQL executes a statement: its cost is that of what it reads, not that of the table. */
import { query, type Statement } from "#lib/platform/postgres";

export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

/** Every step of the plan, after it was executed. */
export async function planOf({ text, values }: Statement): Promise<PlanNode[]> {
  const explained = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
  const [row] = await query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>({ text: explained, values });
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  return row ? nodesOf(row["QUERY PLAN"][0].Plan) : [];
}

export function rowsOf(node: PlanNode): number {
  return node["Actual Rows"] * node["Actual Loops"];
}
