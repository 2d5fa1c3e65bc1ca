/** Present in the files that scripts/compile.ts makes. */
interface ImportMeta {
  readonly isCompiled?: true;
}
