interface Tree {
  [name: string]: string | Tree;
}

export function pickMessages(messages: object, paths: readonly string[]): Tree {
  return paths.reduce((picked, path) => mergeMessages(picked, partOf(messages, path)), {});
}

function partOf(messages: object, path: string): Tree {
  const names = path.split(".");
  const value = names.reduce<unknown>((tree, name) => Object(tree)[name], messages);
  if (value === undefined) throw new Error(`There are no messages at ${path}`);
  return names.reduceRight<unknown>((part, name) => ({ [name]: part }), value) as Tree;
}

export function mergeMessages(left: object, right: object): Tree {
  const merged: Tree = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const other = merged[name];
    merged[name] = typeof other === "object" ? mergeMessages(other, value) : value;
  }
  return merged;
}
