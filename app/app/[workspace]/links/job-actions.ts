import type { ListJobActions } from "#components/links/list-job";
import {
  dismissListJobAction,
  previewReplaceHostAction,
  startListJobAction,
  undoListJobAction,
} from "./list-actions.ts";

export function jobActionsFor(workspace: string): ListJobActions {
  return {
    start: startListJobAction.bind(null, workspace),
    previewHost: previewReplaceHostAction.bind(null, workspace),
    undo: undoListJobAction.bind(null, workspace),
    dismiss: dismissListJobAction.bind(null, workspace),
  };
}
