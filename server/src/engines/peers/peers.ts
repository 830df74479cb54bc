import type { LiveTables } from './live-tables.ts';

/**
 * The peers port: the processes that serve one database at the same time, and what they must know of each other so that
 * a limit holds for all of them together. A process that runs alone keeps such limits in its memory and pays for no
 * statement; it finds out about others within a second. A process that was killed, or does not get through to the
 * database, counts for five seconds more. While the database is away, each process goes on with what it knew last.
 */
export interface Peers extends AsyncDisposable {
  /** Joins the others. A process that has not joined, such as a command, is alone. */
  join(): Promise<void>;
  /** Whether what this process keeps in its memory holds for the whole service. */
  isAlone(): boolean;
  /**
   * Takes one of the `most` slots of a key, or returns null if all are taken, in whichever process. It is exact, except
   * for a process that the others hold for dead. A slot that another process has released is free within 50 ms, and the
   * call waits for that.
   * @throws {DatabaseUnavailable}
   */
  takeSlot(key: string, most: number): Promise<Slot | null>;
  /** Exchanges the notes of a topic with the others about once a second. */
  exchange(topic: Topic): void;
  /** Exchanges them at once, because something has begun that the others should know of. */
  exchangeSoon(): void;
  /** Moves state between the memory of this process and the database; call it before `join`. */
  follow(follower: Follower): void;
  /** The database of the processes that run now, for state that others share; null before `join`. */
  tables(): LiveTables | null;
  /** Returns the processes that run now, with this one if it has joined. */
  list(): Promise<Peer[]>;
}

export interface Slot {
  /** It never rejects: if the database is away, the slot is free as soon as it is back. */
  release(): Promise<void>;
}

/** Short texts by key. A key and its text are stored as they are, so a key is a digest if it is private. */
export interface Topic {
  /** Returns what this process says now. */
  own(): ReadonlyMap<string, string>;
  /** Receives what the others say under the same keys; nothing once this process is alone again. */
  receive(others: ReadonlyMap<string, readonly string[]>): void;
}

export interface Follower {
  /** Writes what the memory holds, because another process has started. From now on the database counts. */
  beginSharing(tables: LiveTables): Promise<void>;
  /** Reads it back, because this process is alone again. From now on the memory counts. */
  endSharing(tables: LiveTables): Promise<void>;
}

export interface Peer {
  readonly id: string;
  /** Its machine and its number there. */
  readonly name: string;
  readonly region: string;
  readonly version: string;
  /** In milliseconds since the epoch, by the clock of its machine. */
  readonly startedAt: number;
}

/** For a process that has nobody to share with. */
export const alone: Pick<Peers, 'isAlone' | 'exchange' | 'exchangeSoon'> = {
  isAlone: () => true,
  exchange() {},
  exchangeSoon() {},
};
