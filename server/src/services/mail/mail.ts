/** The email port. */
export interface Email {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code or link that the email contains, if any. It is shown on a terminal and never written to a log. */
  readonly secret: string | null;
}

export interface Mail extends AsyncDisposable {
  /** True if emails are delivered to people; false if they wait for the operator to read them. */
  readonly reachesPeople: boolean;
  /**
   * When it resolves, the email has been handed over. It takes at most `longestSend`.
   *
   * `id` identifies the email and goes into its Message-ID. Handing over an email and recording that cannot be one
   * atomic step: after a crash in between, the same email is sent once more, and the equal Message-ID shows that it is
   * a duplicate.
   * @throws {EmailRefused} when no retry can succeed; any other error may be temporary.
   */
  send(email: Email, id: string): Promise<void>;
}

/** In milliseconds. */
export const longestSend = 60_000;

export class EmailRefused extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'EmailRefused';
  }
}
