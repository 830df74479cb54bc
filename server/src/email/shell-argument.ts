/** One argument of a command that a person copies into a shell. Addresses of strangers may contain commands. */
export function shellArgument(text: string): string {
  const word = /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return text.startsWith('-') ? `-- ${word}` : word;
}
