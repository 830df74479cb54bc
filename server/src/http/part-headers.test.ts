import { expect, test } from 'vitest';
import { readPartHeaders } from './part-headers.ts';

const read = (disposition: string, encoding: BufferEncoding = 'utf8') =>
  readPartHeaders(Buffer.from(`Content-Disposition: form-data; name="file"; ${disposition}`, encoding)).filename;

test.each([
  ['plain', 'filename="a b.txt"', 'a b.txt'],
  ['UTF-8', 'filename="Kündigung 表.pdf"', 'Kündigung 表.pdf'],
  ['a quote as %22', 'filename="a%22b.txt"', 'a"b.txt'],
  ['a quote after a backslash', String.raw`filename="a\"b.txt"`, 'a"b.txt'],
  ['a path', String.raw`filename="C:\new\a.txt"`, String.raw`C:\new\a.txt`],
  // .NET.
  ['encoded words', 'filename="=?utf-8?B?S8O8bmRpZ3VuZy5wZGY=?="', 'Kündigung.pdf'],
  ['encoded words with a slash', 'filename="=?utf-8?B?0YDQtdGB0YPRgNGB0L/QsNC6LnppcA==?="', 'ресурспак.zip'],
  ['encoded words without quotes', 'filename==?utf-8?Q?K=C3=BCndigung.pdf?=', 'Kündigung.pdf'],
  ['a folded word', 'filename="=?utf-8?Q?K=C3=BC?=\r\n =?utf-8?Q?ndigung_1.pdf?="', 'Kündigung 1.pdf'],
  ['a letter in two words', 'filename="=?utf-8?B?S8M=?= =?utf-8?B?vG4ucGRm?="', 'Kün.pdf'],
  ['encoded words of Shift_JIS', 'filename="=?shift_jis?B?lVwuemlw?="', '表.zip'],
  [
    'an encoded word after others',
    'filename="Report =?UTF-8?B?0YDQtdGB0YPRgNGB0L/QsNC6LnppcA==?="',
    'Report ресурспак.zip',
  ],
  ['an encoded word before others', 'filename="=?utf-8?B?S8O8?= 2024.pdf"', 'Kü 2024.pdf'],
  ['a suffix after a word', 'filename="=?utf-8?B?S8O8?=.pdf"', 'Kü.pdf'],
  ['what is no encoded word', 'filename="is =?utf-8?X?S8O8?= =?.txt"', 'is =?utf-8?X?S8O8?= =?.txt'],
  ['a word of nothing', 'filename="=?utf-8?B?%%?=.txt"', '=?utf-8?B?%%?=.txt'],
  // Newer .NET and Python.
  ['extended', "filename*=utf-8''K%C3%BCndigung.pdf", 'Kündigung.pdf'],
  ['both', `filename="K_ndigung.pdf"; filename*=UTF-8''K%C3%BCndigung.pdf`, 'Kündigung.pdf'],
  ['extended with a language', "filename*=iso-8859-1'de'K%FCndigung.pdf", 'Kündigung.pdf'],
  ['extended in Shift_JIS', "filename*=shift_jis''%95%5C.zip", '表.zip'],
  ['extended in an unknown charset', "filename*=x-unknown''K%C3%BC.pdf", 'Kü.pdf'],
  ['extended and not escaped', "filename*=utf-8''Kündigung 表.pdf", 'Kündigung 表.pdf'],
  ['extended without a charset', 'filename*=K%C3%BC.pdf', 'Kü.pdf'],
  // The email package of Python, and JavaMail.
  ['sections', 'filename*0="a long "; filename*1="100%25.zip"', 'a long 100%25.zip'],
  ['extended sections', 'filename*1*=%BCn; filename*0*=utf-8\'\'K%C3; filename*2=".pdf"', 'Kün.pdf'],
  ['a section without the first', 'filename*1=".zip"', '.zip'],
  ['an empty extended name beside a plain one', `filename*=UTF-8''; filename="a.txt"`, 'a.txt'],
  ['an empty extended name', 'filename*=', ''],
  ['nothing', 'filename=""', ''],
])('a name is read: %s', (_, disposition, filename) => {
  expect(read(disposition)).toBe(filename);
});

test.each([
  ['windows-1252', 'filename="K\xfcn\x80.zip"', 'Kün€.zip'],
  ['windows-1251, of which the letters are wrong', 'filename="\xf4\xe0\xe9\xeb.zip"', 'ôàéë.zip'],
  ['Shift_JIS, where the second byte of a letter is a backslash', 'filename="\x95\\.zip"', '•_.zip'],
  ['a path in windows-1252', 'filename="C:\\K\xfche\\a.zip"', 'C:\\Kühe\\a.zip'],
])('bytes that are no UTF-8 become letters: %s', (_, disposition, filename) => {
  expect(read(disposition, 'latin1')).toBe(filename);
});

test('folded headers are read as one line, and other headers do not matter', () => {
  const lines = [
    'Content-Type: application/octet-stream;',
    '\tname="filename=x"',
    'MIME-Version: 1.0',
    'Content-Transfer-Encoding:',
    ' Base64',
    'CONTENT-DISPOSITION: form-data;',
    ' name=file;',
    '\tfilename="a',
    ' b.txt"',
  ];
  const headers = readPartHeaders(Buffer.from(lines.join('\r\n')));
  expect(headers).toEqual({ name: 'file', filename: 'a b.txt', transferEncoding: 'base64' });
});

test('a field is no file', () => {
  const headers = readPartHeaders(Buffer.from('Content-Disposition: form-data; name="sha_256"'));
  expect(headers).toEqual({ name: 'sha_256', filename: null, transferEncoding: '' });
});

test.each(['Content-Disposition: form-data; name="sha_256"', 'content-transfer-encoding: base64'])(
  'a part that has a header twice is refused: %s',
  (again) => {
    const once = 'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: binary';
    expect(() => readPartHeaders(Buffer.from(`${once}\r\n${again}`))).toThrow(/several Content-/);
  },
);
