import type { Context } from '../context.ts';
import type { Scanner } from '../services/scanner/scanner.ts';
import { seconds } from '../lib/clock.ts';

/** For so long no upload waits for a scanner that was found down. */
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
  const health = healths.get(scanner) ?? { downUntil: -Infinity, checking: null, up: null };
  healths.set(scanner, health);
  return health;
}

export function isScannerDown({ scanner, clock }: Pick<Context, 'scanner' | 'clock'>): boolean {
  return clock.monotonic() < healthOf(scanner).downUntil;
}

export const wasScannerUp = ({ scanner }: Pick<Context, 'scanner'>): boolean | null => healthOf(scanner).up;

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
    health.downUntil = -Infinity;
    if (health.up !== true) log.info({ scanner: version }, 'the malware scanner responds again');
    if (health.up !== true) for (const problem of problems) log.error({ scanner: version }, `ALARM: ${problem}`);
    health.up = true;
  } catch (error) {
    health.downUntil = clock.monotonic() + leftAloneFor;
    if (health.up !== false) log.error({ err: error }, `ALARM: ${down}`);
    health.up = false;
  }
  return health.up;
}

const down = 'the malware scanner does not respond; files uploaded in the meantime are not served until it does';
