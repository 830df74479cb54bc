/** Text from the contract, with code between backticks. */
export function Prose({ text }: { readonly text: string }) {
  return [...text.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: words, 1: code, index }) =>
    code === undefined ? (
      words
    ) : (
      <code key={index} className="rounded-s bg-sunken px-1 py-px text-[0.9em] break-words">
        {code}
      </code>
    ),
  );
}
