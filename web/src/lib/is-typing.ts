/** Returns true if a key press belongs to a field, a menu or a dialog, and is not a shortcut of the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=dialog], [role=menu]') !== null;
