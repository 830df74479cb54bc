export interface Progress {
  /** How far it is, such as '12,000 files'. Shown now and then: it may be told as often as one likes. */
  show(text: string): void;
  /** Takes away what a terminal shows. */
  end(): void;
}

const onTerminalMs = 100;
const elsewhereMs = 10_000;

/** On standard error: one line that changes on a terminal, a line now and then elsewhere. */
export function openProgress(to: NodeJS.WriteStream = process.stderr): Progress {
  const terminal = to.isTTY;
  const pause = terminal ? onTerminalMs : elsewhereMs;
  // What is over in a moment needs no word.
  let saidAt = performance.now();
  let shown = false;
  return {
    show(text) {
      if (performance.now() - saidAt < pause) return;
      saidAt = performance.now();
      shown = terminal;
      to.write(terminal ? `\r\u001B[K${text}` : `${text}\n`);
    },
    end() {
      if (shown) to.write('\r\u001B[K');
      shown = false;
    },
  };
}
