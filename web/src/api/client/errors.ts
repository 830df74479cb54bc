import { CallFailed } from '@holdfast/contract/src/call-failed.ts';

/**
 * Message to show for a failed call. In order of preference: the server's message, a notice that the server did not
 * respond, the error's own message, and 'Something went wrong!'.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof CallFailed && error.serverMessage) return error.serverMessage;
  if (error instanceof CallFailed && error.problem === 'no-response')
    return 'No response from server. Please check your connection.';
  if (error instanceof Error && error.message !== '') return error.message;
  return 'Something went wrong!';
}

/** Message for a failed form: `fallback` is used for a refusal without a message. */
export function formErrorMessage(error: unknown, fallback: string): string {
  const wordless = error instanceof CallFailed && error.problem === 'refused' && !error.serverMessage;
  return wordless ? fallback : errorMessage(error);
}

/** The server's message, or `fallback` if it sent none. */
export function serverMessage(error: unknown, fallback: string): string {
  return (error instanceof CallFailed && error.serverMessage) || fallback;
}

export const isRefusal = (error: unknown, code: string): boolean => error instanceof CallFailed && error.code === code;
