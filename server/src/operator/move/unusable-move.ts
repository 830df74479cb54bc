/** A move cannot begin, go on or end. The message is one or two sentences that an operator can act on. */
export class UnusableMove extends Error {
  override readonly name = 'UnusableMove';
}
