import { site } from './site.ts';

let page = '';
let note = '';

/** The tab reads `{note} {page} · {site}`. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

/** A short fact in front of the page's title that outlives a change of page, such as an upload's progress. */
export function setTitleNote(text: string): void {
  note = text;
  show();
}

function show(): void {
  const title = page === '' ? site.name : `${page} · ${site.name}`;
  document.title = note === '' ? title : `${note} ${title}`;
}
