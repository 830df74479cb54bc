/**
 * For a button that cannot always be pressed and whose focus must not get lost: a disabled one drops it. This one is
 * announced and drawn as disabled, and deaf to presses.
 */
export const pressIf = (possible: boolean, onPress: () => void) =>
  possible ? ({ onClick: onPress } as const) : ({ 'aria-disabled': true } as const);
