/** The time since the machine started: a clock that nobody can set, and that continues while no process runs. */
import { readFileSync } from 'node:fs';
import { platform, uptime } from 'node:os';
import { seconds } from '../lib/clock.ts';

export interface MachineClock {
  /** Identifies the machine and its last start; null if that is unknown here. */
  readonly boot: string | null;
  /** Milliseconds, with the time that the machine slept. */
  sinceBoot(): number;
}

/**
 * Linux measures the uptime by a clock that includes sleep. macOS derives it from the system clock, so it moves along
 * when that is set; there the clock of this process includes sleep.
 */
export function openMachineClock(): MachineClock {
  if (platform() === 'linux') return { boot: readBootId(), sinceBoot: () => seconds(uptime()) };
  return { boot: null, sinceBoot: () => performance.now() };
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
