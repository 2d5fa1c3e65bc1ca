"use server";

import { createAnnotation, deleteAnnotation, editAnnotation } from "#lib/analytics/annotations";
import { annotationBody } from "#lib/analytics/annotations/schema";
import { nameArgument } from "../../../action.ts";
import { changeAction } from "../../workspace-action.ts";

export const createAnnotationAction = changeAction([annotationBody], createAnnotation);

export const editAnnotationAction = changeAction([nameArgument, annotationBody], editAnnotation);

export const deleteAnnotationAction = changeAction([nameArgument], deleteAnnotation);
