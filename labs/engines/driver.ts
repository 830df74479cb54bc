/** The browser operations that tests need, independent of the protocol that drives the browser. */
export interface Driver extends AsyncDisposable {
  /** Navigates to an address. Resolves when the page has loaded or turned out to be a download. */
  open(address: string): Promise<void>;
  /** The value of an expression in the page, which may be a promise. The value is transferred as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** The title of the page. Works even if the page may not run scripts. */
  title(): Promise<string>;
  /** Presses and releases the main mouse button. */
  pressAt(point: Point): Promise<void>;
  /** Types keys one after another into the focused element. */
  type(text: string): Promise<void>;
  /** Sets the files of an `<input type=file>`, given by an expression. */
  chooseFiles(input: string, paths: readonly string[]): Promise<void>;
}

/** Pixels from the upper left corner of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
