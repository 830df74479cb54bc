import { Failure } from '@holdfast/contract/src/errors.ts';
import type { ByteReader } from '../lib/byte-reader.ts';

/**
 * RFC 7578 has no transfer encodings, but libraries for email use them by default. What cannot be decoded is refused:
 * other bytes than those that were meant must not be stored.
 */
export function decodeTransfer(encoding: string, body: ByteReader): ByteReader {
  if (['', '7bit', '8bit', 'binary'].includes(encoding)) return body;
  if (encoding === 'base64') return decoded(body, decodeBase64);
  if (encoding === 'quoted-printable') return decoded(body, decodeQuotedPrintable);
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `The Content-Transfer-Encoding '${encoding}' is not accepted. ${instead}`,
  );
}

const instead = 'Send the bytes of the file as they are, without this header.';

/** Returns the bytes, and the end of the text that only makes sense with what follows. */
type Decode = (text: string, isLast: boolean) => { readonly bytes: Buffer; readonly rest: string };

function decoded(body: ByteReader, decode: Decode): ByteReader {
  const encoded = Buffer.allocUnsafe(64 * 1024);
  let ready: ReturnType<Decode> = { bytes: Buffer.alloc(0), rest: '' };
  let ended = false;
  return {
    async read(into) {
      while (ready.bytes.length === 0 && !ended) {
        const count = await body.read(encoded);
        ended = count === 0;
        ready = decode(ready.rest + encoded.toString('latin1', 0, count), ended);
      }
      const count = ready.bytes.copy(into);
      ready = { ...ready, bytes: ready.bytes.subarray(count) };
      return count;
    },
  };
}

const decodeBase64: Decode = (text, isLast) => {
  const digits = text.replaceAll(/[\t\n\r ]/g, '');
  if (!/^[0-9A-Za-z+/]*={0,2}$/.test(digits)) throw notIn('base64');
  // Nothing may follow the padding, so it waits for the end.
  const whole = isLast ? digits.length : digits.indexOf('=') === -1 ? digits.length : digits.indexOf('=');
  const end = isLast ? whole : whole - (whole % 4);
  if (isLast && digits.replace(/=+$/, '').length % 4 === 1) throw notIn('base64');
  return { bytes: Buffer.from(digits.slice(0, end), 'base64'), rest: digits.slice(end) };
};

/** RFC 2045, section 6.7. */
const decodeQuotedPrintable: Decode = (text, isLast) => {
  // The line break after a last '=' belongs to the boundary.
  const cut = isLast ? /=$/ : /=[0-9A-Fa-f\r]?$/;
  const rest = cut.exec(text)?.[0] ?? '';
  const whole = text.slice(0, text.length - rest.length);
  if (/=(?![0-9A-Fa-f]{2}|\r?\n)/.test(whole)) throw notIn('quoted-printable');
  const bytes = whole.replaceAll(/=(?:([0-9A-Fa-f]{2})|\r?\n)/g, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { bytes: Buffer.from(bytes, 'latin1'), rest: isLast ? '' : rest };
};

const notIn = (encoding: string) =>
  new Failure(
    'UPLOAD_INVALID',
    `A part of the form is not in ${encoding}, as its Content-Transfer-Encoding says. ${instead}`,
  );
