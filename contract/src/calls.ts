/**
 * Where each call of the API is and who may make it, in the order of the spec's section 7. What it takes and gives is in
 * `endpoints.ts`; this part alone goes to the browser, which needs no validators to make a call.
 */

/** Everything below it belongs to the API, whether the contract names it or not. */
export const apiRoot = '/api';

/**
 * The web app names the e-mail that it acts for. A session that belongs to somebody else by now, because another tab has
 * signed in, is refused: what a person confirmed must not happen to another one.
 */
export const actingForHeader = 'Holdfast-Account';

/**
 * Who may call: `public` needs nobody, `session` needs a signed-in browser and never takes a key,
 * `account` takes a session or an API key, and the key alone decides where both are sent.
 */
export type Access = 'public' | 'session' | 'account';

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/v3/${string}`;
  readonly access: Access;
  /** Paths that published clients of this API use for the same call. */
  readonly aliases?: readonly `/api/v3/${string}`[];
}

export const calls = {
  upload: { method: 'POST', path: '/api/v3/upload', access: 'account', aliases: ['/api/v3/upload.php'] },
  getFileList: { method: 'GET', path: '/api/v3/rest/get-file-list', access: 'account' },
  toggleFavorite: { method: 'POST', path: '/api/v3/rest/toggle-favorite', access: 'account' },
  deleteFiles: { method: 'DELETE', path: '/api/v3/rest/delete-files', access: 'account' },
  getAccountInfo: { method: 'GET', path: '/api/v3/rest/get-account-info', access: 'account' },
  getAccountSettings: { method: 'GET', path: '/api/v3/rest/get-account-settings', access: 'account' },
  setAccountSettings: { method: 'POST', path: '/api/v3/session/set-account-settings', access: 'session' },
  setTimezone: { method: 'POST', path: '/api/v3/session/set-timezone', access: 'session' },
  changePassword: { method: 'POST', path: '/api/v3/session/change-password', access: 'session' },
  changeApiKey: { method: 'POST', path: '/api/v3/session/change-api-key', access: 'session' },
  login: { method: 'POST', path: '/api/v3/session/login', access: 'public' },
  createAccount: { method: 'POST', path: '/api/v3/session/create-account', access: 'public' },
  verifyEmail: { method: 'POST', path: '/api/v3/session/verify-email', access: 'public' },
  requestPasswordReset: { method: 'POST', path: '/api/v3/session/request-password-reset', access: 'public' },
  resetPassword: { method: 'POST', path: '/api/v3/session/reset-password', access: 'public' },
  logout: { method: 'POST', path: '/api/v3/session/logout', access: 'public' },
  deleteAccount: { method: 'DELETE', path: '/api/v3/session/delete-account', access: 'session' },
  /** Beyond the spec: what went without its owner, what would go next, and what is paid for. */
  getActivity: { method: 'GET', path: '/api/v3/session/get-activity', access: 'session' },
  getFilesToGo: { method: 'GET', path: '/api/v3/session/get-files-to-go', access: 'session' },
  getSubscription: { method: 'GET', path: '/api/v3/session/get-subscription', access: 'session' },
  /** These two are beyond the spec: what users expect to find under Security. */
  getSessions: { method: 'GET', path: '/api/v3/session/get-sessions', access: 'session' },
  endSessions: { method: 'POST', path: '/api/v3/session/end-sessions', access: 'session' },
  serverInfo: { method: 'GET', path: '/api/v3/session/server-info', access: 'public' },
  captchaChallenge: { method: 'GET', path: '/api/v3/session/captcha-challenge', access: 'public' },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;
