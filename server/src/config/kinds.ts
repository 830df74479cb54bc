import { bytesOf } from '@holdfast/contract/src/plans-file.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Kind } from './read-setting.ts';

export const kind = <const Value>(accepted: string, parse: Kind<Value>['parse']): Kind<Value> => ({ accepted, parse });

const plain = <const Value>(accepted: string, parse: Kind<Value>['parse']): Kind<Value> => ({
  ...kind(accepted, parse),
  isPlain: true,
});

export const matching = (accepted: string, shape: RegExp): Kind<string> =>
  kind(accepted, (found) => (shape.test(found) ? found : undefined));

export const text = kind('a text', (found) => found);
export const folder = kind('a folder', (found) => resolve(found));

export const oneOf = <const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> =>
  plain(
    choices.length === 1 ? `${choices[0]}, or not set` : choices.join(', ').replace(/, (?=\w+$)/, ' or '),
    (found) => choices.find((choice) => choice === found),
  );

export const wholeNumber = (from: number, to: number, what = 'a number'): Kind<number> =>
  plain(`${what} from ${from} to ${to}`, (found) => {
    const number = Number(found);
    return /^\d+$/.test(found) && number >= from && number <= to ? number : undefined;
  });
/** Brackets as in a URL. */
export const host = kind('a host name or an address', (found) => found.replace(/^\[(.*)\]$/, '$1'));
export const port = wholeNumber(0, 65_535);

export const share = plain('a number from 0 to 1', (found) =>
  /^(0(\.\d+)?|1(\.0+)?)$/.test(found) ? Number(found) : undefined,
);

const bytes = (found: string) => (found === '0' ? 0 : bytesOf(found));

export const size = plain('a size such as 2 MB, or 0', bytes);

export const freeSpace = plain('a size such as 20 GB, a percentage such as 10%, or 0', (found) => {
  const [, percent] = /^(\d{1,2})%$/.exec(found) ?? [];
  if (percent !== undefined) return { bytes: Infinity, percent: Number(percent) };
  const least = bytes(found);
  return least === undefined ? undefined : { bytes: least, percent: 100 };
});

export const listOf = <Value>({ accepted, parse }: Kind<Value>): Kind<readonly Value[]> =>
  kind(accepted, (found) => {
    const entries = found.split(',').map((entry) => entry.trim());
    const values = entries.filter((entry) => entry !== '').map(parse);
    return values.every((value) => value !== undefined) ? values : undefined;
  });

export const origin = kind('an origin such as https://files.example.com, without a path', (found) => {
  const url = URL.parse(found);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
});

export const link = kind('an http or https address', (found) =>
  /^https?:$/.test(URL.parse(found)?.protocol ?? '') ? found : undefined,
);

export const network = kind('addresses or networks such as 127.0.0.1, 10.0.0.0/8', (found) => {
  const [address = '', bits = '0', ...rest] = found.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most ? found : undefined;
});

export const domain = kind('domains such as example.com, example.org', (found) =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(found) ? found.toLowerCase() : undefined,
);

export const fileWith = <Value>(parse: (content: string) => Value): Kind<Value> =>
  kind('the path of a file', (found) => parse(readFileSync(resolve(found), 'utf8')));

export const certificates = kind('the path of a file with certificates in PEM', (found) => {
  const path = resolve(found);
  const pem = readFileSync(path, 'utf8');
  return isCertificate(pem) ? { path, pem } : undefined;
});

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
