/** The mail port. */
export interface Letter {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code or link that the letter is about. It is shown on a terminal and never written to a log. */
  readonly secret: string;
}

export interface Mail extends AsyncDisposable {
  /** When it resolves, the letter has been handed over for good. */
  send(letter: Letter): Promise<void>;
}
