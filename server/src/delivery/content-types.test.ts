import { expect, test } from 'vitest';
import { presentationOf } from './content-types.ts';

test.each([
  ['svg', 'attachment', 'image/svg+xml; charset=utf-8'],
  ['pdf', 'attachment', 'application/pdf'],
  ['xhtml', 'attachment', 'application/octet-stream'],
  ['constructor', 'attachment', 'application/octet-stream'],
  ['png', 'inline', 'image/png'],
  ['mp4', 'inline', 'video/mp4'],
])('what a browser could run is downloaded, and other media are shown: .%s', (extension, disposition, contentType) => {
  expect(presentationOf(extension)).toEqual({ disposition, contentType });
});
