import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { type ButtonLook, buttonLook } from './button-look.ts';

/** A link out of the app (another site, a download, a call that redirects) that looks like a button. */
export function ButtonAnchor({ variant, size, className, children, ...rest }: ComponentProps<'a'> & ButtonLook) {
  return (
    <a className={buttonLook({ variant, size }, className)} {...rest}>
      {children}
    </a>
  );
}

/** A link to a page of the app that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
