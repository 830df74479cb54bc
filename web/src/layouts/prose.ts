/** The look of running text: a readable measure, room between the lines, links that can be told from it. */
export const prose =
  'max-w-[66ch] space-y-4 leading-7 [&_strong]:font-semibold [&_h3]:pt-2 [&_h3]:font-semibold ' +
  '[&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:space-y-2 [&_ol]:pl-6 [&_li]:pl-1 [&_li]:marker:text-muted ' +
  '[&_a]:break-words [&_a]:text-sea [&_a]:underline [&_a]:decoration-[color-mix(in_oklch,var(--sea)_35%,transparent)] [&_a]:underline-offset-3 [&_a:hover]:decoration-current';
