import { retryDelay } from '../../../api/retry.ts';
import type { Uploads } from './uploads.ts';

/** The browser does not tell when a server is back: the queue asks again by itself, ever more rarely. */
export function tryAgainLater(uploads: Uploads): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryAgain = () => {
    timer = undefined;
    uploads.dispatch({ type: 'try-again' });
  };
  uploads.subscribe(() => {
    const { resting, unanswered } = uploads.read();
    if (resting === (timer !== undefined)) return;
    clearTimeout(timer);
    timer = resting ? setTimeout(tryAgain, retryDelay(unanswered - 1, undefined)) : undefined;
  });
}
