/** Does it at once when asked, and no more often than every so many milliseconds; the last asking is always followed. */
export function atIntervals(everyMs: number, act: () => void): () => void {
  let resting = false;
  let askedAgain = false;
  const ask = () => {
    if (resting) {
      askedAgain = true;
      return;
    }
    resting = true;
    askedAgain = false;
    act();
    setTimeout(() => {
      resting = false;
      if (askedAgain) ask();
    }, everyMs);
  };
  return ask;
}
