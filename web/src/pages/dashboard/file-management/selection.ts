/** Which files are chosen, as a value. Names are the stored ones, and the list is what is on the screen. */
export interface Selection {
  readonly names: ReadonlySet<string>;
  /** Where the next range starts: the file that was clicked last. */
  readonly anchor: string | undefined;
}

export const nothingSelected: Selection = { names: new Set(), anchor: undefined };

export function toggle({ names }: Selection, name: string): Selection {
  return { names: names.has(name) ? without(names, [name]) : new Set([...names, name]), anchor: name };
}

/** With shift: everything from the last click to this one becomes what this one becomes. */
export function toggleRange(selection: Selection, name: string, list: readonly string[]): Selection {
  const from = selection.anchor === undefined ? -1 : list.indexOf(selection.anchor);
  const to = list.indexOf(name);
  if (from === -1 || to === -1) return toggle(selection, name);
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  const names = selection.names.has(name) ? without(selection.names, range) : new Set([...selection.names, ...range]);
  return { names, anchor: name };
}

export const selectAll = (list: readonly string[]): Selection => ({ names: new Set(list), anchor: undefined });

/** Files that are not on the screen are not selected, nor will they be when they are back: nothing unseen is ever deleted. */
export function keepShown({ names, anchor }: Selection, list: readonly string[]): Selection {
  const shown = list.filter((name) => names.has(name));
  return { names: new Set(shown), anchor: anchor !== undefined && list.includes(anchor) ? anchor : undefined };
}

/** The state of the box in the table's head. */
export function allState(selected: number, all: number): boolean | 'indeterminate' {
  if (selected === 0) return false;
  return selected === all ? true : 'indeterminate';
}

function without(names: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  const left = new Set(names);
  for (const name of gone) left.delete(name);
  return left;
}
