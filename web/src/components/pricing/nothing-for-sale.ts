/** The answer to a link that leads to a payment, on a site that takes none. */
export const nothingForSale = {
  title: 'Nothing is for sale here',
  body: 'This site takes no payments. Its operator can give an account a larger plan.',
} as const;
