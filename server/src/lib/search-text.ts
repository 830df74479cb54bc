/**
 * What a search of the file list looks through, and for. Both are folded here and not in SQL, where each engine has
 * its own idea of letters beyond ASCII. Whoever changes the folding fills every row again.
 */

/**
 * In UTF-16 units. An entry of an index on PostgreSQL must stay below 2,700 bytes. Only a name full of single characters
 * that stand for a whole phrase gets longer than this when it is unfolded.
 */
const longest = 600;

/** The value of `files.search_text`. */
export function searchTextOf(name: string, originalName: string): string {
  return fold(`${name} ${originalName}`).slice(0, longest).toWellFormed();
}

/** The words that must all stand in a search text; none where nothing is searched for. */
export function searchWords(search: string): string[] {
  // No stored name has control characters, and PostgreSQL takes no NUL.
  const words = fold(search).split(/[\s\p{Cc}]+/u);
  return [...new Set(words)].filter((word) => word !== '');
}

/** Upper case is the same wherever a letter stands, lower case is not (Σ), and lowering first unfolds ẞ as well as ß. */
function fold(text: string): string {
  const folded = text.toWellFormed().normalize('NFKC').toLowerCase().toUpperCase();
  // The four letters i of Turkish and English are one here.
  return folded.replaceAll('I\u0307', 'I').normalize('NFKC');
}
