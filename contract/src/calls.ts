/**
 * Path and access rule of each API call, in the order of the API docs. Inputs and outputs are in `endpoints.ts`; only
 * this part goes to the browser, which needs no validators to make a call.
 */
import { uploadPath } from './upload-path.ts';

/** Every path below it belongs to the API, whether or not the contract names it. */
export const apiRoot = '/api';

/**
 * The web app sends the email address of the account that it acts for. If another tab has since signed in to another
 * account, the request is refused: what a person confirmed for one account must not happen to another.
 */
export const actingForHeader = 'Holdfast-Account';

/**
 * Identifies one upload across retries: within a day the server stores its file once and returns the same link for each
 * try. A client sends a new random text with each file and the same one with each retry.
 */
export const uploadKeyHeader = 'Idempotency-Key';

/**
 * Field in the form of an upload that a published client sends its key in. It counts only for accounts that allow it, and
 * only before the file.
 */
export const keyField = 'api_key';

/**
 * The allowed caller: `public` needs no credentials, `session` needs a signed-in browser and never accepts a key, and
 * `account` accepts a session or an API key. If both are sent, only the key counts.
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
  upload: { method: 'POST', path: uploadPath, access: 'account', aliases: ['/api/v3/upload.php'] },
  getFileList: { method: 'GET', path: '/api/v3/rest/get-file-list', access: 'account' },
  toggleFavorite: { method: 'POST', path: '/api/v3/rest/toggle-favorite', access: 'account' },
  deleteFiles: { method: 'DELETE', path: '/api/v3/rest/delete-files', access: 'account' },
  getAccountInfo: { method: 'GET', path: '/api/v3/rest/get-account-info', access: 'account' },
  getAccountSettings: { method: 'GET', path: '/api/v3/rest/get-account-settings', access: 'account' },
  setAccountSettings: { method: 'POST', path: '/api/v3/session/set-account-settings', access: 'session' },
  setTimezone: { method: 'POST', path: '/api/v3/session/set-timezone', access: 'session' },
  changePassword: { method: 'POST', path: '/api/v3/session/change-password', access: 'session' },
  changeApiKey: { method: 'POST', path: '/api/v3/session/change-api-key', access: 'session' },
  setKeyInForm: { method: 'POST', path: '/api/v3/session/set-key-in-form', access: 'session' },
  /** Proves for the next 15 minutes that the session's user knows the password. */
  confirmPassword: { method: 'POST', path: '/api/v3/session/confirm-password', access: 'session' },
  login: { method: 'POST', path: '/api/v3/session/login', access: 'public' },
  createAccount: { method: 'POST', path: '/api/v3/session/create-account', access: 'public' },
  verifyEmail: { method: 'POST', path: '/api/v3/session/verify-email', access: 'public' },
  requestPasswordReset: { method: 'POST', path: '/api/v3/session/request-password-reset', access: 'public' },
  resetPassword: { method: 'POST', path: '/api/v3/session/reset-password', access: 'public' },
  logout: { method: 'POST', path: '/api/v3/session/logout', access: 'public' },
  deleteAccount: { method: 'DELETE', path: '/api/v3/session/delete-account', access: 'session' },
  /** Files deleted without their owner, files that would be deleted next, and the subscription. */
  getActivity: { method: 'GET', path: '/api/v3/session/get-activity', access: 'session' },
  getEvictionPreview: { method: 'GET', path: '/api/v3/session/get-eviction-preview', access: 'session' },
  getInactiveFiles: { method: 'GET', path: '/api/v3/session/get-inactive-files', access: 'session' },
  getSubscription: { method: 'GET', path: '/api/v3/session/get-subscription', access: 'session' },
  /** Features that users expect under Security. */
  getSessions: { method: 'GET', path: '/api/v3/session/get-sessions', access: 'session' },
  endSessions: { method: 'POST', path: '/api/v3/session/end-sessions', access: 'session' },
  serverInfo: { method: 'GET', path: '/api/v3/session/server-info', access: 'public' },
  captchaChallenge: { method: 'GET', path: '/api/v3/session/captcha-challenge', access: 'public' },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;
