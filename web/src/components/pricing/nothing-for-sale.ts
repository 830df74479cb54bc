/** Why no plan can be bought on a site that takes no payments. */
export const nothingForSale = {
  title: 'Nothing is for sale here',
  body: 'This site takes no payments. Ask its administrator for a larger plan.',
} as const;
