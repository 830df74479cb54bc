/**
 * Returns text as one word of a command that a person copies into a POSIX shell. Addresses of strangers may contain
 * characters that would otherwise run other commands.
 */
function shellWord(text: string): string {
  return /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same for an argument, which must not be taken for an option. */
export function shellArgument(text: string): string {
  return text.startsWith('-') ? `-- ${shellWord(text)}` : shellWord(text);
}
