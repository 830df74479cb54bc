/**
 * Aborts on the first ctrl-C or SIGTERM, after which a command ends at its next safe point; a second one ends the
 * process at once.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new Stopped());
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return stopping.signal;
}

export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor() {
    super('Stopped. Completed steps are kept.');
  }
}
