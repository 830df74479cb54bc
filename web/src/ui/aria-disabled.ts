/**
 * Props for a button that cannot always be pressed but must keep the focus, which a disabled button loses. This one is
 * announced and styled as disabled, and ignores presses.
 */
export const ariaDisabledUnless = (possible: boolean, onPress: () => void) =>
  possible ? ({ onClick: onPress } as const) : ({ 'aria-disabled': true } as const);
