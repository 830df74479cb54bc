/** Lines of the table at the end, and of the progress before it. */
export interface Report {
  row(what: string, rounds: number | string, figure: string): void;
  progress(line: string): void;
  print(): void;
}

export function openReport(): Report {
  const rows: string[][] = [];
  const begun = Date.now();
  return {
    row: (what, rounds, figure) => void rows.push([what, String(rounds), figure]),
    progress: (line) => console.log(`${((Date.now() - begun) / 60_000).toFixed(1)} min  ${line}`),
    print() {
      const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
      for (const [what = '', rounds = '', figure = ''] of rows)
        console.log(`${what.padEnd(widths[0] ?? 0)}  ${rounds.padStart(widths[1] ?? 0)}  ${figure}`);
    },
  };
}
