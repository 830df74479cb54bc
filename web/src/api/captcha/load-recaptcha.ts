import { styleNonce } from '../../lib/site.ts';

interface Recaptcha {
  ready(then: () => void): void;
  execute(siteKey: string, options: { readonly action: string }): Promise<string>;
}

declare global {
  interface Window {
    grecaptcha?: Recaptcha;
  }
}

const patience = 15_000;
let loading: Promise<Recaptcha> | undefined;

/**
 * Loads Google's script when a form first needs it, so that other visitors never load it.
 * @throws if the script cannot be loaded; the next call tries again.
 */
export function loadRecaptcha(siteKey: string): Promise<Recaptcha> {
  loading ??= load(siteKey).catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  });
  return loading;
}

function load(siteKey: string): Promise<Recaptcha> {
  const script = document.createElement('script');
  script.src = `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`;
  // The script adds its own style element, which inherits this nonce.
  script.nonce = styleNonce;
  return new Promise<Recaptcha>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Google took too long')), patience);
    script.onerror = () => reject(new Error('Google cannot be reached'));
    script.onload = () => {
      const { grecaptcha } = window;
      if (!grecaptcha) return reject(new Error('something stopped the script'));
      return grecaptcha.ready(() => {
        clearTimeout(timer);
        resolve(grecaptcha);
      });
    };
    document.head.append(script);
  }).catch((cause: unknown) => {
    script.remove();
    throw cause;
  });
}
