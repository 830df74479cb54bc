import { expect, test } from 'vitest';
import { shownName } from './shown-name.ts';

test.each(['\u202E', '\u202D', '\u2066', '\u2067', '\u2069', '\u200F', '\u061C'])(
  'a name cannot hide its extension behind a mark that turns its direction (%j)',
  (mark) => expect(shownName(`photo${mark}gpj.exe`)).toBe('photogpj.exe'),
);

test('a name in any script is shown as it is', () => {
  for (const name of ['kelp.txt', 'תמונה.jpg', 'صورة.png', '写真.webp']) expect(shownName(name)).toBe(name);
});
