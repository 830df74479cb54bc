import { messageOf } from '../lib/message-of.ts';
import { OperatorError } from '../lib/operator-error.ts';

const named = 5;

export class ItemsPassedOver extends OperatorError {
  override readonly name = 'ItemsPassedOver';

  constructor(items: readonly string[]) {
    const others = items.length > named ? ` and ${items.length - named} others` : '';
    super(`Passed over, because it could not be done: ${items.slice(0, named).join('; ')}${others}.`);
  }
}

/** One bad item does not end a run for all others: it is named, and the run fails at its end. */
export function createPassedOver() {
  const items: string[] = [];
  return {
    passOver: (item: string, error: unknown): void => {
      // The database or the storage is away, for all items.
      if (error instanceof OperatorError) throw error;
      items.push(`${item} (${messageOf(error)})`);
    },
    failure: (): ItemsPassedOver | null => (items.length > 0 ? new ItemsPassedOver(items) : null),
  };
}
