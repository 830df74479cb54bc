let clients = 0;

/**
 * As from a browser that nobody has seen before, behind the proxy that a site of the tests believes. The tests are
 * quicker than any person, and many: from one address they would meet the limits, which have tests of their own.
 */
export function fromNewAddress(): { readonly 'X-Forwarded-For': string } {
  clients += 1;
  return { 'X-Forwarded-For': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` };
}
