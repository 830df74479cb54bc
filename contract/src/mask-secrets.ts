/** Removes secrets from error reports, on the server and in browsers, in a time that grows with the text and no faster. */

export function maskSecretsIn<Value>(value: Value): Value {
  return walk(value) as Value;
}

export function maskSecrets(text: string): string {
  return patterns.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text);
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/hf_[0-9A-Za-z]{6,}/g, 'hf_…'],
  [/((?<![a-z-])holdfast-[a-z-]+=)[^;\s"'\\]+/gi, '$1…'],
  // User name and password in a URL, such as a database's.
  [/(\/\/)[^\s/"'\\@]+@/g, '$1…@'],
  [/(?<![\w.%+-])[\w.%+-]+@[\w-]+(\.[\w-]+)+/g, '…@…'],
  // The query of any URL, whatever its parameters.
  [/\?[^\s"'\\<>()?=]*=[^\s"'\\<>()]*/g, '?…'],
  [/#[\w.-]+=[^\s"'\\<>()]*/g, '#…'],
  // Tokens and reset keys have 43 characters, digests 64. The segments of a path are matched one by one.
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{40,}/g, '…'],
  // A code from an email; not a color, nor part of a longer number or of a name.
  [/(?<![\w#.:-])\d{6}(?![\w.:-]*\w)/g, '…'],
];

function walk(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]));
}
