export type CallProblem =
  | 'refused'
  | 'no-response'
  /** The response is not our envelope. */
  | 'unreadable';

export class CallFailed extends Error {
  readonly problem: CallProblem;
  readonly status: number;
  readonly code: string | undefined;
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
  return `The server sent an unreadable response (status ${status}). Try again later.`;
}
