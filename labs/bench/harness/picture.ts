import { median } from './measure.ts';
import { popularName } from './plain-peer.ts';
import type { RowResult } from './row.ts';

const server = 'Holdfast';
const popular = 'Express and multer, not synced';
const piped = 'a plain Node stream';

/** What the picture shows: the lines of rows, and the names of their samples with what to call each. */
const works = [
  {
    title: 'One upload of 200 MB, MB/s',
    row: 1,
    what: 'one upload',
    bars: { upload: server, 'an ideal server in C': 'an ideal server in C', [popularName]: popular },
  },
  {
    title: 'Eight downloads of 50 MB, MB/s',
    row: 3,
    what: '8 parallel downloads, Node alone',
    bars: { Node: server, nginx: 'nginx', 'createReadStream().pipe()': piped },
  },
  {
    title: 'Downloads of 10 KB a second',
    row: 5,
    what: '10 KB downloads of one name, SQLite',
    bars: { Node: server, nginx: 'nginx', 'createReadStream().pipe()': piped },
  },
  ...(['one after the other', '8 at a time'] as const).map((way) => ({
    title: `Uploads of 10 KB a second, ${way}`,
    row: 16,
    what: `10 KB uploads, ${way}`,
    bars: {
      Node: server,
      'a plain node:http server that syncs': 'a plain Node server, synced',
      [popularName]: popular,
    },
  })),
];

/** As wide as a phone, which would shrink a wider one with its text. */
const width = 340;
const [titleHeight, lineHeight, gap] = [30, 36, 14];
const style =
  'text{font:15px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}.ours{fill:#0f766e}.other{fill:#afb8c1}' +
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#2dd4bf}.other{fill:#57606a}}';

/** Draws the speeds of the rows as bars, or returns null until all of them have been measured. */
export function pictureOf(rows: readonly RowResult[]): string | null {
  const blocks: string[] = [];
  let y = 0;
  for (const { title, row, what, bars } of works) {
    const lines = rows.find(({ number }) => number === row)?.lines.filter((line) => line.what.startsWith(what)) ?? [];
    const samples = Object.assign({}, ...lines.map((line) => line.samples)) as Record<string, readonly number[]>;
    const speeds = Object.entries(bars).map(([name, label]) => ({ label, speed: median(samples[name] ?? []) }));
    const fastest = Math.max(...speeds.map(({ speed }) => speed));
    if (!(fastest > 0)) return null;
    blocks.push(`<text class="title" x="0" y="${y + 18}">${title}</text>`);
    y += titleHeight;
    for (const { label, speed } of speeds) {
      const length = Math.round((speed / fastest) * width);
      const text = `${label} ${Math.round(speed).toLocaleString('en')}`;
      blocks.push(
        `<text x="0" y="${y + 14}">${text}</text>`,
        `<rect class="${label === server ? 'ours' : 'other'}" x="0" y="${y + 20}" width="${length}" height="8" rx="2"/>`,
      );
      y += lineHeight;
    }
    y += gap;
  }
  const size = `width="${width}" height="${y}" viewBox="0 0 ${width} ${y}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${style}</style>\n${blocks.join('\n')}\n</svg>\n`;
}
