/** A `ref` callback: the pressed control has disappeared, so its replacement takes the focus. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
