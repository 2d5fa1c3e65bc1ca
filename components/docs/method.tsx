import { Badge } from "#components/ui/badge";

const tones: Record<string, string> = {
  GET: "blue",
  POST: "green",
  PUT: "brown",
  PATCH: "yellow",
  DELETE: "red",
};

/** The method of a call, distinguished by text and color. */
export function Method({ name }: { name: string }) {
  return (
    <span>
      <Badge tone={tones[name] ?? "gray"} className="font-mono">
        {name}
      </Badge>
    </span>
  );
}
