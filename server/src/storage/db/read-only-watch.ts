import type { Logger } from 'pino';
import { seconds } from '../../lib/clock.ts';
import { type Database, DatabaseReadOnly } from './database.ts';
import { isReadOnly } from './moves.ts';

/**
 * Knows whether the database refuses changes, so that a process need not try each one. The database itself decides: a
 * change that this has let pass may be refused.
 */
export interface ReadOnlyWatch extends Disposable {
  readonly isOn: boolean;
  /** Looks at the database if this error says that it is read-only. */
  note(error: unknown): void;
  /** Looks at the database now. */
  check(): Promise<void>;
}

const lookEvery = seconds(1);

/** While the database is read-only, it is looked at every second; otherwise only when there is reason to. */
export function openReadOnlyWatch(db: Database, log: Pick<Logger, 'warn'>): ReadOnlyWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOn = false;
  const check = async () => {
    const found = await isReadOnly(db);
    if (found === isOn) return;
    isOn = found;
    clearInterval(timer);
    if (isOn) timer = setInterval(look, lookEvery).unref();
    log.warn(
      isOn
        ? 'the service is being moved to another place: changes are refused, files can be downloaded'
        : 'the service accepts changes again',
    );
  };
  // The database may be away; the next look finds out.
  const look = () => void check().catch(() => {});
  return {
    get isOn() {
      return isOn;
    },
    note(error) {
      if (error instanceof DatabaseReadOnly && !isOn) look();
    },
    check,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
