import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

export interface UploadProblem {
  readonly answered: boolean;
  /** What to tell: the server's own words, or that its answer made no sense; undefined where nothing came back. */
  readonly reason: string | undefined;
  /** What to do where nothing came back. */
  readonly hint?: string;
}

export function uploadProblem(error: unknown): UploadProblem {
  if (!(error instanceof CallFailed)) return { answered: true, reason: undefined };
  if (error.problem === 'no-response') return { answered: false, reason: undefined, hint: error.message };
  return {
    answered: true,
    reason: error.serverMessage ?? (error.problem === 'unreadable' ? error.message : undefined),
  };
}
