export { type ProcessReport, processReport } from "./report-shape.ts";
