import type { Context } from '../context.ts';
import type { Scanner } from '../engines/scanner/scanner.ts';
import { seconds } from '../lib/clock.ts';

/** For so long after it was found down nobody waits for it; the job that clears what is pending asks it meanwhile. */
const leftAloneFor = seconds(30);
const checkWithin = seconds(2);

interface Health {
  downUntil: number;
  checking: Promise<boolean> | null;
  /** Null before the first check. */
  up: boolean | null;
}

const healths = new WeakMap<Scanner, Health>();

function healthOf(scanner: Scanner): Health {
  const health = healths.get(scanner) ?? { downUntil: 0, checking: null, up: null };
  healths.set(scanner, health);
  return health;
}

/** Whether it was found down a moment ago, so that waiting for it is in vain. */
export function isScannerDown({ scanner, clock }: Pick<Context, 'scanner' | 'clock'>): boolean {
  return clock.now() < healthOf(scanner).downUntil;
}

/**
 * Asks the scanner whether it is there, and answers that. When that changes, the log tells. Those who ask at the same
 * time share one answer. It never rejects.
 */
export function checkScanner(context: Pick<Context, 'scanner' | 'clock' | 'log'>): Promise<boolean> {
  const health = healthOf(context.scanner);
  health.checking ??= check(context, health).finally(() => (health.checking = null));
  return health.checking;
}

async function check(
  { scanner, clock, log }: Pick<Context, 'scanner' | 'clock' | 'log'>,
  health: Health,
): Promise<boolean> {
  try {
    const { version, problems } = await scanner.check(AbortSignal.timeout(checkWithin));
    health.downUntil = 0;
    if (health.up !== true) log.info({ scanner: version }, 'the malware scanner answers');
    if (health.up !== true) for (const problem of problems) log.error({ scanner: version }, `ALARM: ${problem}`);
    health.up = true;
  } catch (error) {
    health.downUntil = clock.now() + leftAloneFor;
    if (health.up !== false) log.error({ err: error }, `ALARM: ${down}`);
    health.up = false;
  }
  return health.up;
}

const down = 'the malware scanner does not answer; what is uploaded meanwhile is served to nobody until it does';
