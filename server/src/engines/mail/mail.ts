/** The mail port. */
export interface Letter {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code or link that the letter is about, if any. It is shown on a terminal and never written to a log. */
  readonly secret: string | null;
}

export interface Mail extends AsyncDisposable {
  /** Whether a letter that is handed over is on its way to a person; false where it waits for the operator to read it. */
  readonly reachesPeople: boolean;
  /**
   * When it resolves, the letter has been handed over for good. It takes at most `longestSend`.
   *
   * `id` names the letter and goes into its Message-ID. Nobody can both hand over a letter and note that down in one
   * step: after a crash in between, the same letter is sent once more, and the equal Message-ID tells that it is one.
   * @throws {LetterRefused} when it will not be taken however often it is tried; any other error may pass.
   */
  send(letter: Letter, id: string): Promise<void>;
}

/** In milliseconds. */
export const longestSend = 60_000;

export class LetterRefused extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'LetterRefused';
  }
}
