import { Badge } from "#components/ui/badge";

const tones: Record<string, string> = {
  GET: "blue",
  POST: "green",
  PUT: "brown",
  PATCH: "yellow",
  DELETE: "red",
};

export function Method({ name }: { name: string }) {
  return (
    <span>
      <Badge tone={tones[name] ?? "gray"} className="font-mono">
        {name}
      </Badge>
    </span>
  );
}
