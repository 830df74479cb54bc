import type { Found } from './find-files.ts';

export const clearLine = '\r\u001B[K';

/** One line on the terminal, with the time that is left. In a log there is none. */
export function showProgress(files: readonly Pick<Found, 'path' | 'size'>[], output = process.stderr) {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const sent = new Map<string, number>();
  const began = Date.now();
  let shown = 0;
  let first: number | null = null;
  return {
    moved(path: string, bytes: number) {
      sent.set(path, bytes);
      const all = [...sent.values()].reduce((sum, each) => sum + each, 0);
      // Bytes sent by an earlier run do not count toward the speed.
      first ??= all;
      const now = Date.now();
      if (!output.isTTY || now - shown < 100) return;
      shown = now;
      const perSecond = ((all - first) / Math.max(1, now - began)) * 1000;
      const left = perSecond > 0 ? `, ${time((total - all) / perSecond)} left` : '';
      output.write(`${clearLine}${sizeText(all)} of ${sizeText(total)}, ${sizeText(perSecond)}/s${left}`);
    },
    end() {
      if (output.isTTY && shown > 0) output.write(clearLine);
    },
  };
}

export function sizeText(bytes: number): string {
  const power = Math.min(4, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power > 0 && value < 10 ? 1 : 0)} ${['B', 'KB', 'MB', 'GB', 'TB'][power] ?? 'TB'}`;
}

const time = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3600)} h`;
