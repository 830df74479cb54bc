/**
 * Why a letter could not be sent, for the log. A mail server may quote what it refuses, in part or in another form: a
 * code, a link, its key, the password of the connection. So only what reads like a word stays, after the status.
 */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, beginning = '', rest = ''] = status.exec(message) ?? [];
  const words = rest.split(/\s+/).map((token) => (word.test(token) ? token : '…'));
  const kept = words.join(' ').replaceAll(/…( …)+/g, '…');
  return (beginning + kept).slice(0, longest).trim();
}

/** Our own words, such as 'Message failed: ', then a reply's code and its enhanced one (RFC 3463). */
const status = /^((?:[A-Za-z ]{1,60}: )?(?:[245]\d\d[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?)(.*)$/s;

const word = /^[("']?(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,12})(?:['-][a-z]{1,14})?[.,:;!?)"']{0,2}$/;

const longest = 300;
