import type { Context } from '../context.ts';
import { PaymentsUnavailable } from '../engines/payments/payments.ts';

/**
 * Has every price compared with what the plans say, and tells the operator what is wrong, which is not sold from then on.
 * A provider that cannot be asked now is asked before the first checkout at a price. It never rejects for that.
 */
export async function checkPrices({ payments, log }: Pick<Context, 'payments' | 'log'>): Promise<void> {
  try {
    for (const { problem } of await payments.checkPrices()) log.error(`ALARM: ${problem}. It is not sold`);
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    log.error({ err: error }, `ALARM: prices could not be checked. ${error.message}`);
  }
}
