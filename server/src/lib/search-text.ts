/** A PostgreSQL index entry must stay below 2,700 bytes. */
const longest = 600;

export function searchTextOf(name: string, originalName: string): string {
  return fold(`${name} ${originalName}`).slice(0, longest).toWellFormed();
}

export function searchWords(search: string): string[] {
  // PostgreSQL rejects NUL.
  const words = fold(search).split(/[\s\p{Cc}]+/u);
  return [...new Set(words)].filter((word) => word !== '');
}

/** Stored rows have this form. Lower case depends on the position (Σ), and unfolds ẞ. */
function fold(text: string): string {
  const folded = text.toWellFormed().normalize('NFKC').toLowerCase().toUpperCase();
  // The four letters i count as one.
  return folded.replaceAll('I\u0307', 'I').normalize('NFKC');
}
