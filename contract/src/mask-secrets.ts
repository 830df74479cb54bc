/** What no error report may hold, on the server or in a browser: keys, codes, cookies, links that prove who one is. */

/** Masks every text in a value that JSON can hold, however deep. */
export function maskSecretsIn<Value>(value: Value): Value {
  return walk(value) as Value;
}

export function maskSecrets(text: string): string {
  return patterns.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text);
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/hf_[0-9A-Za-z]{6,}/g, 'hf_…'],
  [/(holdfast-[a-z-]+=)[^;\s"'\\]+/gi, '$1…'],
  // The name and the password in an address, such as a database's.
  [/(\/\/)[^\s/"'\\@]+@/g, '$1…@'],
  [/[\w.%+-]+@[\w-]+(\.[\w-]+)+/g, '…@…'],
  // The query of any address, whatever it asks.
  [/\?[^\s"'\\<>()]*=[^\s"'\\<>()]*/g, '?…'],
  [/#[\w.-]+=[^\s"'\\<>()]*/g, '#…'],
  // Tokens and reset keys have 43 characters, digests 64. A path's parts are judged one by one.
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{40,}/g, '…'],
  // A code from a letter; not a color, a part of a longer number, or of a name.
  [/(?<![\w#.:-])\d{6}(?![\w.:-]*\w)/g, '…'],
];

function walk(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]));
}
