import type { Config } from '../config/config.ts';

/** Metadata that lets a phone install the site as an app (W3C Web Application Manifest). */
export const webManifest = ({ site }: Pick<Config, 'site'>): string =>
  JSON.stringify({
    name: site.name,
    short_name: site.name,
    start_url: '/dashboard',
    scope: '/',
    display: 'browser',
    background_color: '#f5fafa',
    theme_color: '#00686a',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  });
