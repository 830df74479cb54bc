export interface Progress {
  /** How far it is, such as '12,000 files'. Shown now and then: it may be told as often as one likes. */
  show(text: string): void;
  /** Takes away what is shown. */
  end(): void;
}

const pauseMs = 100;

/** One line that changes, on standard error; only where that is a terminal, because a log has no use for it. */
export function openProgress(to: NodeJS.WriteStream = process.stderr): Progress {
  // What is over in a moment needs no word.
  let saidAt = performance.now();
  let shown = false;
  return {
    show(text) {
      if (!to.isTTY || performance.now() - saidAt < pauseMs) return;
      saidAt = performance.now();
      shown = true;
      to.write(`\r\u001B[K${text}`);
    },
    end() {
      if (shown) to.write('\r\u001B[K');
      shown = false;
    },
  };
}
