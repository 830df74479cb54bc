/** The first call runs at once, then at most one call per interval. The last call is never dropped. */
export function throttle(intervalMs: number, act: () => void): () => void {
  let resting = false;
  let calledAgain = false;
  const call = () => {
    if (resting) {
      calledAgain = true;
      return;
    }
    resting = true;
    calledAgain = false;
    act();
    setTimeout(() => {
      resting = false;
      if (calledAgain) call();
    }, intervalMs);
  };
  return call;
}
