/** True in files made by scripts/compile.ts. */
interface ImportMeta {
  readonly isCompiled?: true;
}
