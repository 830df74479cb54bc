/**
 * The page for people whose link leads to no file. It can be on any host of files, which serves nothing else, so style and
 * logo are in it, and it needs no script.
 */
import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import { publicHeaders } from '../http/response-headers.ts';
import { drawChart } from './chart.ts';
import type { FileResponse, HeaderList } from './file-response.ts';

export interface PageText {
  readonly heading: string;
  readonly text: string;
  readonly reloadSeconds?: number;
  /** For an address that must not tell whose server it is. */
  readonly isNameless?: boolean;
  /** Posts to the address of the page. */
  readonly button?: string;
}

export type SiteOfPage = Pick<Config, 'site' | 'origins'>;

export function createErrorPage(config: SiteOfPage) {
  return (method: string | undefined, status: number, page: PageText): FileResponse => {
    const html = Buffer.from(pageOf(config, page));
    const reload = page.reloadSeconds === undefined ? [] : ['Refresh', String(page.reloadSeconds)];
    const headers = [...policy, ...reload, 'Content-Length', String(html.length)];
    return { status, headers, pieces: method === 'HEAD' ? [] : [html], sendsFirstByte: false };
  };
}

/** Java’s HTTP client names HTML by default, whatever it wants. */
const listOfJava = 'text/html, image/gif, image/jpeg,';

export function wantsPage(accept = ''): boolean {
  const list = accept.toLowerCase();
  if (!list.includes('text/html') || list.startsWith(listOfJava)) return false;
  const html = qualityOf(list, 'text/html');
  return html > 0 && html >= qualityOf(list, 'text/plain');
}

/** RFC 9110, section 12.5.1. */
function qualityOf(list: string, type: string): number {
  for (const range of list.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}

export function pageOf({ site, origins }: SiteOfPage, { heading, text, isNameless = false, button }: PageText): string {
  const [name, app] = [site.name, origins.app].map(escapeHtml);
  const brand = `<header><a class="brand" href="${app}/">${mark}${name}</a></header>`;
  const ways = button
    ? `<nav><form method="post"><button class="button">${escapeHtml(button)}</button></form></nav>`
    : `<nav aria-label="What you can do">
<a class="button" href="${app}/">Go to the home page</a>
<a href="${app}/faqs#report">Report a file</a>
</nav>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}${isNameless ? '' : ` · ${name}`}</title>
<link rel="icon" href="${isNameless ? 'data:,' : icon}">
<style>${style}</style>
</head>
<body>
${isNameless ? '' : brand}
<main>
<div class="sea">${chart}</div>
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${isNameless ? '' : ways}
</main>
</body>
</html>
`;
}

const chart = drawChart();

const mark =
  '<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M12 2v9M12 11c0 4-2.5 5-4.5 6S4 20 3 22M12 11c0 4 2.5 5 4.5 6s3.5 3 4.5 5M12 11c0 5-1.5 7-2.5 11M12 11c0 5 1.5 7 2.5 11" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round"/><circle cx="12" cy="4" r="2" fill="currentColor"/></svg>';

/** Otherwise the browser would request one from the host of files. */
const icon = `data:image/svg+xml,${encodeURIComponent(mark.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" color="#00686a" '))}`;

/** The colors are those of the web app. */
const style = `
:root { color-scheme: light dark; --paper: oklch(0.982 0.005 190); --surface: oklch(1 0 0); --sunken: oklch(0.958 0.007 190); --ink: oklch(0.25 0.028 215); --muted: oklch(0.48 0.022 210); --line: oklch(0.885 0.01 200); --sea: oklch(0.47 0.085 190); --sea-strong: oklch(0.39 0.075 195); --on-sea: oklch(0.99 0.005 190) }
@media (prefers-color-scheme: dark) { :root { --paper: oklch(0.185 0.018 220); --surface: oklch(0.222 0.02 220); --sunken: oklch(0.262 0.021 220); --ink: oklch(0.945 0.008 195); --muted: oklch(0.725 0.02 205); --line: oklch(0.315 0.022 218); --sea: oklch(0.775 0.105 182); --sea-strong: oklch(0.84 0.095 182); --on-sea: oklch(0.19 0.03 210) } }
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; min-height: 100dvh; display: grid; grid-template-rows: auto 1fr; overflow-x: clip; background: var(--paper); color: var(--ink); font: 16px/1.5 "Geist Variable", system-ui, sans-serif; -webkit-font-smoothing: antialiased; -webkit-text-size-adjust: 100% }
header { display: flex; align-items: center; min-height: 65px; padding: 0 max(16px, 50% - 576px); border-bottom: 1px solid var(--line) }
a { color: inherit; text-decoration: none }
a:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px; border-radius: 4px }
.brand { display: inline-flex; align-items: center; gap: 10px; min-height: 44px; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere }
svg { flex: none; color: var(--sea) }
.sea { position: absolute; inset: 0; overflow: clip; -webkit-mask-image: var(--clearing); mask-image: var(--clearing); --clearing: radial-gradient(ellipse 320px 160px, transparent 55%, black) }
.chart { position: absolute; left: 50%; top: 50%; width: 1006px; height: 880px; overflow: visible; transform: translate(-50%, -50%); font-family: ui-monospace, monospace; pointer-events: none }
main > :not(.sea) { position: relative }
main { grid-row: 2; position: relative; display: grid; align-content: center; justify-items: center; gap: 12px; padding: 48px 16px 112px; text-align: center }
h1 { max-width: 30ch; font-size: 24px; line-height: 32px; font-weight: 600; letter-spacing: -0.02em; text-wrap: balance }
p { max-width: 46ch; color: var(--muted); text-wrap: pretty }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; margin-top: 12px }
nav :is(a, button) { display: inline-flex; align-items: center; min-height: 44px; padding: 0 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font: 500 14px/1.5 inherit; font-family: inherit; cursor: pointer }
nav a:hover { background: var(--sunken) }
nav .button { border-color: var(--sea); background: var(--sea); color: var(--on-sea) }
nav .button:hover { border-color: var(--sea-strong); background: var(--sea-strong) }
@media (min-width: 860px) and (pointer: fine) { nav a { min-height: 36px } }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export const pagePolicy = {
  ...publicHeaders,
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'`,
  Vary: 'Accept',
  'Content-Type': 'text/html; charset=utf-8',
} as const;

const policy: HeaderList = Object.entries(pagePolicy).flat();
