/** As a `ref`: what was pressed is gone, and the focus continues at what has come in its place. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
