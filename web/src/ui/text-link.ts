export const textLink =
  'font-medium text-sea underline decoration-[color-mix(in_oklch,var(--sea)_35%,transparent)] underline-offset-3 hover:decoration-current';
