import { escapeHtml } from '../lib/escape-html.ts';
export type Line =
  | string
  | { readonly code: string }
  | { readonly link: string; readonly label: string }
  | { readonly aside: string };

export function renderEmail(lines: readonly Line[]): { text: string; html: string } {
  const body = 'font:16px/1.5 system-ui,sans-serif;color:#16282d;max-width:480px;margin:0 auto;padding:32px 16px';
  return {
    text: `${lines.map(asText).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="${body}">${lines.map(asHtml).join('')}</body></html>`,
  };
}

function asText(line: Line): string {
  if (typeof line === 'string') return line;
  if ('code' in line) return `    ${line.code}`;
  return 'link' in line ? line.link : line.aside;
}

function asHtml(line: Line): string {
  if (typeof line === 'string') return `<p>${escapeHtml(line)}</p>`;
  if ('aside' in line) return `<p style="color:#5b6b70">${escapeHtml(line.aside)}</p>`;
  if ('link' in line) return `<p><a href="${escapeHtml(line.link)}">${escapeHtml(line.label)}</a></p>`;
  const large = 'font:600 28px/1.4 ui-monospace,Menlo,monospace;letter-spacing:6px;margin:24px 0';
  return `<p style="${large}">${escapeHtml(line.code)}</p>`;
}
