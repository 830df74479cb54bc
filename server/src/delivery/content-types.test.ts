import types from 'mime-db/db.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { presentationOf } from './content-types.ts';

test.each([
  ['svg', 'attachment', 'image/svg+xml; charset=utf-8'],
  ['pdf', 'attachment', 'application/pdf'],
  ['xhtml', 'attachment', 'application/octet-stream'],
  ['constructor', 'attachment', 'application/octet-stream'],
  ['mjs', 'attachment', 'application/octet-stream'],
  ['kml', 'attachment', 'application/vnd.google-earth.kml+xml; charset=utf-8'],
  ['ics', 'attachment', 'text/calendar; charset=utf-8'],
  ['docx', 'attachment', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['epub', 'attachment', 'application/epub+zip'],
  ['apk', 'attachment', 'application/vnd.android.package-archive'],
  ['cbz', 'attachment', 'application/vnd.comicbook+zip'],
  ['stl', 'attachment', 'model/stl'],
  ['mpg', 'attachment', 'video/mpeg'],
  ['ts', 'attachment', 'video/mp2t'],
  ['png', 'inline', 'image/png'],
  ['mp4', 'inline', 'video/mp4'],
  ['jfif', 'inline', 'image/jpeg'],
  ['heic', 'inline', 'image/heic'],
  ['ogv', 'inline', 'video/ogg'],
  ['oga', 'inline', 'audio/ogg'],
  ['weba', 'inline', 'audio/webm'],
  ['vtt', 'inline', 'text/vtt; charset=utf-8'],
])('what a browser could run is downloaded, and other media are shown: .%s', (extension, disposition, contentType) => {
  expect(presentationOf(extension)).toEqual({ disposition, contentType });
});

test('a phone knows no other extension for the type of a pack', () => {
  const registered: readonly string[] = Object.keys(types);
  for (const pack of ['mcpack', 'mcaddon', 'mcworld', 'mctemplate', 'mrpack']) {
    const { disposition, contentType } = presentationOf(pack);
    expect(disposition).toBe('attachment');
    expect(registered).not.toContain(contentType);
    expect(contentType).not.toBe('application/octet-stream');
  }
});
