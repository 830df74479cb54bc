/** Folded here, because the engines treat letters beyond ASCII differently. A change must rewrite every row. */

/** In UTF-16 units: a PostgreSQL index entry must stay below 2,700 bytes. */
const longest = 600;

export function searchTextOf(name: string, originalName: string): string {
  return fold(`${name} ${originalName}`).slice(0, longest).toWellFormed();
}

/** Returns the words that a search text must all contain; none for an empty search. */
export function searchWords(search: string): string[] {
  // Stored names contain no control characters, and PostgreSQL rejects NUL.
  const words = fold(search).split(/[\s\p{Cc}]+/u);
  return [...new Set(words)].filter((word) => word !== '');
}

/**
 * Upper case does not depend on a letter's position, unlike lower case (Σ). Converting to lower case first unfolds ẞ as
 * well as ß.
 */
function fold(text: string): string {
  const folded = text.toWellFormed().normalize('NFKC').toLowerCase().toUpperCase();
  // The four letters i of Turkish and English count as one here.
  return folded.replaceAll('I\u0307', 'I').normalize('NFKC');
}
