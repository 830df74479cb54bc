const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The options that contain every typed word, regardless of case and separators: `new york` finds `America/New_York`.
 */
export function matchOptions(options: readonly string[], typed: string): readonly string[] {
  const words = plain(typed).split(' ');
  return options.filter((option) => {
    const text = plain(option);
    return words.every((word) => text.includes(word));
  });
}
