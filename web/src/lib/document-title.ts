import { site } from './site.ts';

let page = '';
let note = '';

/** Sets the page's part of the document title, which is `{note} {page} · {site}`. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

/** Sets a short note before the page title, such as an upload's progress. It outlives navigation. */
export function setTitleNote(text: string): void {
  note = text;
  show();
}

function show(): void {
  const title = page === '' ? site.name : `${page} · ${site.name}`;
  document.title = note === '' ? title : `${note} ${title}`;
}
