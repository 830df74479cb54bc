/** The public navigation, in the spec's order; the Contact menu follows it. */
export const publicNav = [
  { to: '/', name: 'Home' },
  { to: '/about-us', name: 'About Us' },
  { to: '/speed-test', name: 'Speed Test' },
  { to: '/plan-pricing', name: 'Pricing' },
  { to: '/api-docs', name: 'API Docs' },
  { to: '/faqs', name: 'FAQs' },
] as const;

export const legalNav = [
  { to: '/terms-of-service', name: 'Terms of Service' },
  { to: '/privacy-policy', name: 'Privacy Policy' },
  { to: '/dmca-policy', name: 'DMCA Policy' },
] as const;
