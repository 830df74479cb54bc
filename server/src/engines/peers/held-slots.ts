import { setTimeout as wait } from 'node:timers/promises';
import type { LiveTables } from './live-tables.ts';
import type { Slot } from './peers.ts';
import { deleteSlotRow, type Held, restoreSlotRow, takeSlotRow } from './slots.ts';

interface State {
  readonly isAlone: () => boolean;
  readonly tables: () => LiveTables | null;
  /** Resolves when the slots of all processes are in the tables. */
  readonly whenRecorded: () => Promise<void>;
}

/** A slot that was released at a time of `performance.now()`. */
interface Kept {
  readonly one: Held;
  readonly releasedAt: number;
}

export interface HeldSlots extends Disposable {
  take(key: string, most: number): Promise<Slot | null>;
  /** Writes rows for slots that have none. */
  record(tables: LiveTables): Promise<void>;
  /** Writes rows again that may be lost. Those that are not lost stay: a second row for one slot would never be free. */
  restore(tables: LiveTables): Promise<void>;
  /** Deletes rows that could not be deleted when their slots were released. */
  releaseLate(tables: LiveTables): Promise<void>;
}

/**
 * A slot that was released stays with this process for so many milliseconds, so that the next upload of a client needs no
 * statement. It lets the others wait for that before they refuse.
 */
const keptFor = 50;
const waitForKept = 2 * keptFor;

/** The slots that this process holds: all in memory, and beside other processes also in rows. */
export function createHeldSlots(processId: string, { isAlone, tables, whenRecorded }: State): HeldSlots {
  const held = new Map<string, Set<Held>>();
  /** Released slots with a row, by key, the last one released last. */
  const kept = new Map<string, Kept[]>();
  const unreleased = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;

  const hold = (one: Held): void => {
    const same = held.get(one.key) ?? new Set();
    held.set(one.key, same.add(one));
  };
  const letGo = (one: Held): void => {
    const same = held.get(one.key);
    same?.delete(one);
    if (same?.size === 0) held.delete(one.key);
  };
  const isHeld = (one: Held): boolean => held.get(one.key)?.has(one) ?? false;
  const allHeld = (): Held[] => [...held.values()].flatMap((same) => [...same]);
  /** If a row is lost, its slot looks free and may be taken again: two uploads would then count as one. */
  const isHeldByAnother = (one: Held, slot: number): boolean =>
    [...(held.get(one.key) ?? [])].some((other) => other !== one && other.slot === slot);
  const deleteRow = async (live: LiveTables | null, one: Held): Promise<void> => {
    if (one.slot === null || isHeldByAnother(one, one.slot)) return void unreleased.delete(one);
    unreleased.add(one);
    if (!live) return;
    await deleteSlotRow(live, processId, one);
    unreleased.delete(one);
  };
  const releaseLate = async (live: LiveTables): Promise<void> => {
    for (const one of unreleased) await deleteRow(live, one);
  };
  /** Deletes the rows of kept slots that were released before a time. What cannot be deleted now is deleted late. */
  const releaseKept = async (before: number): Promise<void> => {
    const ended: Held[] = [];
    for (const [key, same] of kept) {
      const stay = same.filter((each) => each.releasedAt >= before);
      for (const { one } of same.slice(0, same.length - stay.length)) ended.push(one);
      if (stay.length > 0) kept.set(key, stay);
      else kept.delete(key);
    }
    for (const one of ended) unreleased.add(one);
    for (const one of ended) await deleteRow(tables(), one);
  };
  const keepTime = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void releaseKept(performance.now() - keptFor).catch(() => {});
      if (kept.size > 0) keepTime();
    }, keptFor / 2).unref();
  };
  const keep = (one: Held): void => {
    const each = { one, releasedAt: performance.now() };
    const same = kept.get(one.key);
    if (same) same.push(each);
    else kept.set(one.key, [each]);
    keepTime();
  };
  const takeKept = (one: Held): number | null => {
    const same = kept.get(one.key);
    const slot = same?.pop()?.one.slot ?? null;
    if (same?.length === 0) kept.delete(one.key);
    return slot !== null && isHeldByAnother(one, slot) ? takeKept(one) : slot;
  };
  /** A slot that another upload of this process holds has its row again then, and the next one is tried. */
  const takeRow = async (live: LiveTables, one: Held): Promise<number | null> => {
    const slot = await takeSlotRow(live, processId, one);
    return slot !== null && isHeldByAnother(one, slot) ? takeRow(live, one) : slot;
  };
  const mayRun = async (one: Held): Promise<boolean> => {
    if (!isAlone()) await whenRecorded();
    const live = tables();
    if (isAlone() || !live) return true;
    // It may have been recorded meanwhile.
    one.slot ??= takeKept(one) ?? (await takeRow(live, one));
    if (one.slot !== null) return true;
    await wait(waitForKept, undefined, { ref: false });
    one.slot ??= takeKept(one) ?? (await takeRow(live, one));
    return one.slot !== null;
  };
  return {
    async take(key, most) {
      if ((held.get(key)?.size ?? 0) >= most) return null;
      const one: Held = { key, most, slot: null };
      // Before any wait, so that what is taken meanwhile counts.
      hold(one);
      try {
        if (!(await mayRun(one))) return (letGo(one), null);
      } catch (error) {
        letGo(one);
        throw error;
      }
      return {
        async release() {
          letGo(one);
          if (one.slot !== null) keep(one);
        },
      };
    },
    async record(live) {
      await releaseLate(live);
      for (const one of allHeld()) {
        // It runs already, so it goes on without a row if the others have taken all.
        one.slot ??= await takeRow(live, one);
        if (!isHeld(one)) await deleteRow(live, one);
      }
    },
    async restore(live) {
      await releaseKept(Infinity);
      await releaseLate(live);
      for (const one of allHeld()) {
        // If it is released meanwhile, it is kept with its row.
        if (one.slot === null || (await restoreSlotRow(live, processId, one))) continue;
        one.slot = null;
        if (isHeld(one)) one.slot = await takeRow(live, one);
        if (!isHeld(one)) await deleteRow(live, one);
      }
    },
    releaseLate,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
