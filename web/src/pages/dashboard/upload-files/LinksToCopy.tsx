/** Where the browser does not let the page write to the clipboard: the links, selected, for copying by hand. */
export function LinksToCopy({ text }: { readonly text: string }) {
  return (
    <textarea
      readOnly
      value={text}
      aria-label="All links, to copy by hand"
      rows={Math.min(8, text.split('\n').length)}
      ref={takeFocus}
      className="basis-full resize-y overflow-auto rounded-m border border-edge bg-surface px-3 py-2 font-mono text-s whitespace-pre"
    />
  );
}

/** In a turn of its own: the menu that was pressed gives the focus back to its button while it closes. */
function takeFocus(field: HTMLTextAreaElement | null): () => void {
  const turn = setTimeout(() => {
    field?.focus();
    field?.select();
  });
  return () => clearTimeout(turn);
}
