/** A text as it is written, with the e-mail addresses in it to be pressed. */
export function LinkedAddresses({ text }: { readonly text: string }) {
  const parts = text.split(/([^\s@<>",;()]+@[^\s@<>",;()]+\.[a-z0-9-]+)/i);
  // What a pattern with one group splits by stands at the odd places.
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={`mailto:${part}`}>
        {part}
      </a>
    ),
  );
}
