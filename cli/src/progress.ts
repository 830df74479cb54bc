export interface Progress {
  /** Shows the progress, such as '12,000 files'. It may be called at any rate: output is throttled. */
  show(text: string): void;
  /** Clears the line. */
  end(): void;
}

const pauseMs = 100;

/** Shows one changing line on standard error, only if that is a terminal, because a log has no use for it. */
export function openProgress(to: NodeJS.WriteStream = process.stderr): Progress {
  // Short work shows no progress.
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
