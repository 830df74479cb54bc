/** In a field, a key means its text; in a menu or a dialog, the page behind it is not meant. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=dialog], [role=menu]') !== null;
