import { escapeHtml } from '../lib/escape-html.ts';
import { markId } from '../services/mail/mark.ts';

export type Line =
  | string
  | { readonly code: string }
  | { readonly command: string }
  | { readonly link: string; readonly label: string }
  | { readonly list: readonly string[] }
  | { readonly aside: string };

export interface Frame {
  readonly subject: string;
  readonly to: string;
  readonly name: string;
  readonly url: string;
  readonly contact: string | null;
}

export function renderEmail(frame: Frame, lines: readonly Line[]): { text: string; html: string } {
  return {
    text: `${lines.map(asText).join('\n\n')}\n\n-- \n${frame.name}, ${frame.url}\n`,
    html: htmlOf(frame, lines),
  };
}

function asText(line: Line): string {
  if (typeof line === 'string') return line;
  if ('code' in line) return `    ${line.code}`;
  if ('command' in line) return line.command;
  if ('list' in line) return line.list.join('\n');
  return 'link' in line ? line.link : line.aside;
}

/** Tables, and styles on each element, because some clients know nothing else. */
function htmlOf({ subject, to, name, url, contact }: Frame, lines: readonly Line[]): string {
  const [title, first, site] = [subject, asText(lines[0] ?? ''), name].map(escapeHtml);
  const table = 'table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
  const write = contact === null ? '' : `<br>Contact: ${linkTo(`mailto:${contact}`, contact)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${darkStyle}</style>
</head>
<body class="page" style="margin:0;background:#f5f9f9">
<div style="display:none;max-height:0;overflow:hidden">${first}</div>
<${table} class="page" style="background:#f5f9f9"><tr><td align="center" style="padding:32px 16px">
<${table} style="max-width:520px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<tr><td style="padding:0 0 16px"><a class="ink" href="${escapeHtml(url)}" style="color:#16282d;font-weight:600;text-decoration:none"><img src="cid:${markId}" width="22" height="22" alt="" style="vertical-align:-4px;border:0;margin-right:10px">${site}</a></td></tr>
<tr><td class="card ink" style="background:#ffffff;border:1px solid #d3dfe0;border-radius:8px;padding:16px 24px;color:#16282d">${lines.map(asHtml).join('')}</td></tr>
<tr><td class="muted" style="padding:16px 0 0;color:#566a70;font-size:13px">Sent by ${linkTo(url, name)} to ${escapeHtml(to)}.${write}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** `!important`, because the styles on the elements would win. */
const darkStyle =
  '@media (prefers-color-scheme:dark){.page{background:#101b1f!important}.card{background:#172429!important;border-color:#2b3c42!important}.ink{color:#e7f0f0!important}.muted{color:#a3b4b7!important}.well{background:#22323a!important}.sea{color:#5ed0c3!important}.button{background:#5ed0c3!important;color:#06201f!important}}';

const mono = 'font:14px/1.5 ui-monospace,Menlo,Consolas,monospace;word-break:break-word';

const linkTo = (href: string, text: string) =>
  `<a class="sea" href="${escapeHtml(href)}" style="color:#00686a">${escapeHtml(text)}</a>`;

function asHtml(line: Line): string {
  if (typeof line === 'string') return paragraph(escapeHtml(line));
  if ('aside' in line) return paragraph(escapeHtml(line.aside), 'muted', 'color:#566a70;font-size:14px');
  if ('list' in line) return `<ul style="margin:8px 0;padding:0 0 0 20px">${line.list.map(asItem).join('')}</ul>`;
  if ('link' in line) return asButton(line.link, line.label);
  if ('command' in line)
    return paragraph(
      escapeHtml(line.command),
      'well',
      `${mono};padding:10px 12px;background:#eef4f4;border-radius:8px`,
    );
  const large = 'font:600 28px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center';
  return paragraph(
    escapeHtml(line.code),
    'well',
    `${large};margin:16px 0;padding:16px 10px 16px 16px;background:#eef4f4;border-radius:8px`,
  );
}

const paragraph = (html: string, kind = '', style = '') =>
  `<p class="${kind}" style="margin:8px 0;${style}">${html}</p>`;

const asItem = (text: string) => `<li style="margin:4px 0;word-break:break-word">${escapeHtml(text)}</li>`;

/** Some clients block links or hide where they lead. */
function asButton(link: string, label: string): string {
  const look =
    'display:inline-block;padding:10px 20px;background:#00686a;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none';
  const button = `<a class="button" href="${escapeHtml(link)}" style="${look}">${escapeHtml(label)}</a>`;
  const address = `Or open this address:<br><span style="word-break:break-all">${linkTo(link, link)}</span>`;
  return `${paragraph(button, '', 'margin:20px 0')}${paragraph(address, 'muted', 'color:#566a70;font-size:13px')}`;
}
