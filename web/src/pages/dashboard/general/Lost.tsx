/** The part of a sentence that says what cannot be undone. */
export function Lost({ children }: { readonly children: string }) {
  return <strong className="font-medium text-danger">{children}</strong>;
}
