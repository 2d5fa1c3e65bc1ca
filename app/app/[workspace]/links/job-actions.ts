import type { ListJobActions } from "#components/links/list-job";
import { dismissListJobAction, startListJobAction, undoListJobAction } from "./list-actions.ts";

export function jobActionsFor(workspace: string): ListJobActions {
  return {
    start: startListJobAction.bind(null, workspace),
    undo: undoListJobAction.bind(null, workspace),
    dismiss: dismissListJobAction.bind(null, workspace),
  };
}
