import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/**
 * What to tell a person about a failed call, in the spec's order (section 8): the server's message, that nothing
 * answered, the error's own message, and 'Something went wrong!' where there is none.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof CallFailed && error.serverMessage) return error.serverMessage;
  if (error instanceof CallFailed && error.problem === 'no-response')
    return 'No response from server. Please check your connection.';
  if (error instanceof Error && error.message !== '') return error.message;
  return 'Something went wrong!';
}

/** A form's words for its failure: its own fallback stands for a refusal without a message. */
export function formErrorMessage(error: unknown, fallback: string): string {
  const wordless = error instanceof CallFailed && error.problem === 'refused' && !error.serverMessage;
  return wordless ? fallback : errorMessage(error);
}

/** What the server said, or the screen's own words where it said nothing. */
export function serverMessage(error: unknown, fallback: string): string {
  return (error instanceof CallFailed && error.serverMessage) || fallback;
}

export const isRefusal = (error: unknown, code: string): boolean => error instanceof CallFailed && error.code === code;
