/** Stripe's library pauses for half a second or more between its tries, which proves nothing here. */
import { Stripe } from 'stripe';

const seconds = 0.005;
Object.assign(Stripe.prototype, {
  getInitialNetworkRetryDelay: () => seconds,
  getMaxNetworkRetryDelay: () => seconds,
});
