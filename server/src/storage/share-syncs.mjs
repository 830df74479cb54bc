/**
 * Each call resolves after a sync that began after it; calls that wait share one.
 * @param {() => Promise<void>} syncOnce
 * @returns {() => Promise<void>}
 */
export function shareSyncs(syncOnce) {
  /** @type {Promise<void> | null} */
  let running = null;
  /** @type {Promise<void> | null} */
  let next = null;
  const start = () => {
    next = null;
    running = syncOnce().finally(() => (running = null));
    running.catch(() => (next = null));
    return running;
  };
  return () => next ?? (running ? (next = running.then(start)) : start());
}
