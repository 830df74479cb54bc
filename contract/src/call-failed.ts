/** Why a call gave no value, in the words of the caller's side. */
export type CallProblem =
  /** The server understood and said no: `serverMessage` and mostly `code` are there. */
  | 'refused'
  /** Nothing came back: offline, refused connection, time-out. */
  | 'no-response'
  /** Something came back that is not our envelope. */
  | 'unreadable';

export class CallFailed extends Error {
  readonly problem: CallProblem;
  /** The HTTP status, 0 where nothing came back. */
  readonly status: number;
  readonly code: string | undefined;
  /** The message that the server sent, where it sent one. */
  readonly serverMessage: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    problem: CallProblem,
    status: number,
    facts: { code?: string; serverMessage?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(facts.serverMessage ?? ownWords(problem, status), { cause: facts.cause });
    this.name = 'CallFailed';
    this.problem = problem;
    this.status = status;
    this.code = facts.code;
    this.serverMessage = facts.serverMessage;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

function ownWords(problem: CallProblem, status: number): string {
  if (problem === 'no-response') return 'No response from server. Please check your connection.';
  if (status === 429) return 'Too many requests. Wait a moment and try again.';
  if (status === 413) return 'The file is larger than the server accepts.';
  return `The server gave an answer that could not be read (status ${status}). Try again later.`;
}
