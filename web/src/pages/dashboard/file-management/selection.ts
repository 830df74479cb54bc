/** The selected files, as an immutable value. Names are stored names, and `list` contains the files on screen, or all that were asked for. */
export interface FileSelection {
  readonly names: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const nothingSelected: FileSelection = { names: new Set(), anchor: undefined };

export function toggle({ names }: FileSelection, name: string): FileSelection {
  return { names: names.has(name) ? without(names, [name]) : new Set([...names, name]), anchor: name };
}

/** Shift-click: every file between the last clicked one and this one gets the new state of this one. */
export function toggleRange(selection: FileSelection, name: string, list: readonly string[]): FileSelection {
  const from = selection.anchor === undefined ? -1 : list.indexOf(selection.anchor);
  const to = list.indexOf(name);
  if (from === -1 || to === -1) return toggle(selection, name);
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  const names = selection.names.has(name) ? without(selection.names, range) : new Set([...selection.names, ...range]);
  return { names, anchor: name };
}

export const selectAll = (list: readonly string[]): FileSelection => ({ names: new Set(list), anchor: undefined });

/**
 * Files that leave the screen are deselected, and stay so when they return. So files that are off screen are never
 * deleted.
 */
export function keepShown({ names, anchor }: FileSelection, list: readonly string[]): FileSelection {
  const shown = list.filter((name) => names.has(name));
  return { names: new Set(shown), anchor: anchor !== undefined && list.includes(anchor) ? anchor : undefined };
}

/** State of the checkbox in the table's head. */
export function allState(selected: ReadonlySet<string>, shown: readonly string[]): boolean | 'indeterminate' {
  const chosen = shown.filter((name) => selected.has(name)).length;
  if (chosen === 0) return false;
  return chosen === shown.length ? true : 'indeterminate';
}

function without(names: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  const left = new Set(names);
  for (const name of gone) left.delete(name);
  return left;
}
