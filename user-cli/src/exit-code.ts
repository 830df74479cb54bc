import { HoldfastError } from '@holdfast/client/src/client.ts';
import { CommanderError } from 'commander';

export const exitCodes = {
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  /** The plan, the quota, the type or the digest. */
  refused: 5,
  /** No response, or not now. */
  unavailable: 6,
  /** The downloaded bytes do not match the file's digest. */
  damaged: 7,
} as const;

export class Problem extends Error {
  readonly kind: keyof typeof exitCodes;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof Problem) return exitCodes[error.kind];
  if (!(error instanceof HoldfastError)) return exitCodes.failed;
  const { status } = error;
  if (status === 401) return exitCodes.notSignedIn;
  if (status === 404 || status === 410) return exitCodes.notFound;
  if (status === 0 || status === 429 || (status >= 500 && status !== 507)) return exitCodes.unavailable;
  return [403, 413, 415, 422, 507].includes(status) ? exitCodes.refused : exitCodes.failed;
}
