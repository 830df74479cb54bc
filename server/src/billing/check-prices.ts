import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';

/**
 * Compares all prices with the plans and alarms the operator about mismatches, which are not sold from then on. If the
 * provider is unavailable now, a price is checked before its first checkout. It does not reject if the provider is
 * unavailable.
 */
export async function checkPrices({ payments, log }: Pick<Context, 'payments' | 'log'>): Promise<void> {
  try {
    for (const { problem } of await payments.checkPrices()) log.error(`ALARM: ${problem}. It is not sold`);
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    log.error({ err: error }, `ALARM: prices could not be checked. ${error.message}`);
  }
}
