/** Turns the paths of shapes (M h v a z) and letters (M L Q) into operators of PDF. */

interface Point {
  x: number;
  y: number;
}

/** The operators of a command, and its end point. Without `to`, it returns to the start of its subpath. */
interface Step {
  operators: string[];
  to?: Point;
}

export function pdfPath(path: string): string {
  let at: Point = { x: 0, y: 0 };
  let start = at;
  const parts: string[] = [];
  for (const [, command = "", numbers = ""] of path.matchAll(/([MhvazLQ])([^MhvazLQ]*)/g)) {
    const values = (numbers.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
    const { operators, to = start } = stepOf(command, values, at);
    if (command === "M") start = to;
    at = to;
    parts.push(...operators);
  }
  return parts.join(" ");
}

function stepOf(command: string, values: readonly number[], at: Point): Step {
  const [first = 0, second = 0, , , sweep, dx = 0, dy = 0] = values;
  if (command === "z") return { operators: ["h"] };
  if (command === "a") {
    const to = { x: at.x + dx, y: at.y + dy };
    return { operators: curvesOf(at, to, first, sweep === 1), to };
  }
  if (command === "M") return pointStep({ x: first, y: second }, "m");
  if (command === "L") return pointStep({ x: first, y: second }, "l");
  if (command === "Q") return curveStep(at, { x: first, y: second }, values);
  return pointStep(
    command === "h" ? { x: at.x + first, y: at.y } : { x: at.x, y: at.y + first },
    "l",
  );
}

function pointStep(to: Point, operator: string): Step {
  return { operators: [`${text(to)} ${operator}`], to };
}

/** A quadratic curve: its control point serves as both control points of PDF's cubic curve. */
function curveStep(from: Point, control: Point, [, , x = 0, y = 0]: readonly number[]): Step {
  const to = { x, y };
  const points = [twoThirds(from, control), twoThirds(to, control), to];
  return { operators: [`${points.map(text).join(" ")} c`], to };
}

function twoThirds(from: Point, to: Point): Point {
  return { x: from.x + ((to.x - from.x) * 2) / 3, y: from.y + ((to.y - from.y) * 2) / 3 };
}

/** An arc of up to a half turn, as curves of up to a quarter turn. */
function curvesOf(from: Point, to: Point, radius: number, clockwise: boolean): string[] {
  const turn = clockwise ? 1 : -1;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const [dx, dy] = [(to.x - from.x) / 2, (to.y - from.y) / 2];
  const half = Math.hypot(dx, dy);
  const height = Math.sqrt(Math.max(0, radius * radius - half * half));
  const center = {
    x: middle.x - (turn * height * dy) / half,
    y: middle.y + (turn * height * dx) / half,
  };
  const angle = 2 * Math.asin(Math.min(1, half / radius));
  const steps = angle > Math.PI / 2 + 0.01 ? 2 : 1;
  const begin = Math.atan2(from.y - center.y, from.x - center.x);
  const step = (turn * angle) / steps;
  const pull = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: steps }, (_, index) => {
    const [one, two] = [begin + index * step, begin + (index + 1) * step];
    const [a, b] = [on(center, radius, one), on(center, radius, two)];
    const first = {
      x: a.x - pull * radius * Math.sin(one),
      y: a.y + pull * radius * Math.cos(one),
    };
    const last = { x: b.x + pull * radius * Math.sin(two), y: b.y - pull * radius * Math.cos(two) };
    return `${text(first)} ${text(last)} ${text(b)} c`;
  });
}

function on({ x, y }: Point, radius: number, angle: number): Point {
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
}

function text({ x, y }: Point): string {
  return `${Math.round(x * 1_000) / 1_000} ${Math.round(y * 1_000) / 1_000}`;
}
