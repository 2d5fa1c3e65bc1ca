/** The remaining tasks for a release, in order. */
export interface ReleaseState {
  version: string;
  lockedVersion: string;
  changeLog: string;
  images: string[];
  changedFiles: string[];
  tagged: string;
  taggedVersion: string;
  laterFiles: string[];
  released: { version: string; commit: string; migration: string };
  lastMigration: string;
}

const releasedFile = "prisma/released.json";

export function findTasks(state: ReleaseState): string[] {
  const { version, released } = state;
  const isTagged = state.tagged !== "";
  const isNamed = released.version === version && released.commit === state.tagged;
  return [
    state.lockedVersion !== version &&
      `package-lock.json has version ${state.lockedVersion}. Run npm install --package-lock-only.`,
    state.images.some((image) => image !== version) &&
      `deploy/kubernetes names another version than ${version}. Set image: fuxi:${version} and newTag.`,
    ...findChangeLogTasks(state),
    state.changedFiles.length > 0 &&
      `Uncommitted changes: ${state.changedFiles.join(", ")}. Commit them.`,
    !isTagged &&
      `Run .ci/run, npm run test:long and npm run test:citus, then git tag -a v${version} -m "Fuxi ${version}".`,
    isTagged &&
      state.taggedVersion !== version &&
      `The tag v${version} is on a commit with version ${state.taggedVersion}. Raise the version, or move the tag.`,
    isTagged &&
      !isNamed &&
      `Set version ${version}, commit ${state.tagged} and migration ${state.lastMigration} in ${releasedFile}, and commit it.`,
    isNamed &&
      released.migration !== state.lastMigration &&
      `The last migration is ${state.lastMigration}, but ${releasedFile} names ${released.migration}. Correct it.`,
    isNamed &&
      state.laterFiles.some((file) => file !== releasedFile) &&
      `Files changed after v${version}. Check out v${version}, or raise the version.`,
  ].filter((task) => task !== false);
}

function findChangeLogTasks({ version, changeLog }: ReleaseState): (string | false)[] {
  const [, afterUnreleased = ""] = changeLog.split("## Unreleased\n");
  const [unreleased = ""] = afterUnreleased.split("\n## ");
  const hasHeading = changeLog
    .split("\n")
    .some((line) => line.startsWith(`## ${version} – `) && /\d{4}-\d\d-\d\d$/.test(line));
  return [
    !hasHeading &&
      `CHANGELOG.md has no heading “## ${version} – ” with the day. Rename “## Unreleased”, and raise the version in package.json if needed.`,
    unreleased.trim() !== "" &&
      `CHANGELOG.md has entries under “Unreleased”. They belong to this version, or to the next one after the tag.`,
  ];
}
