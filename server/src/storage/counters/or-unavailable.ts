import { Failure } from '@holdfast/contract/src/errors.ts';
import { DatabaseUnavailable } from '../db/database.ts';

/**
 * Refuses a call that cannot be counted.
 * @throws {Failure} UNAVAILABLE.
 * @throws {DatabaseUnavailable}
 */
export async function orUnavailable<T>(count: () => Promise<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new Failure('UNAVAILABLE', undefined, { cause: error });
  }
}
