/** The browser needs no validators to make a call, so inputs and outputs are apart, in `endpoints.ts`. */
import { logoutPath, uploadPath } from './bare-calls.ts';

export const apiRoot = '/api';

/** Within a day the server stores the file of one key once. */
export const uploadKeyHeader = 'Idempotency-Key';

/** A published client sends its key so. It counts only for accounts that allow it, and before the file. */
export const keyField = 'api_key';

/** If a session and a key are sent, only the key counts. `session` never accepts a key. */
export type Access = 'public' | 'session' | 'account';

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
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
  restoreFiles: { method: 'POST', path: '/api/v3/rest/restore-files', access: 'account' },
  getAccountInfo: { method: 'GET', path: '/api/v3/rest/get-account-info', access: 'account' },
  getAccountSettings: { method: 'GET', path: '/api/v3/rest/get-account-settings', access: 'account' },
  setAccountSettings: { method: 'POST', path: '/api/v3/session/set-account-settings', access: 'session' },
  setTimezone: { method: 'POST', path: '/api/v3/session/set-timezone', access: 'session' },
  changePassword: { method: 'POST', path: '/api/v3/session/change-password', access: 'session' },
  changeApiKey: { method: 'POST', path: '/api/v3/session/change-api-key', access: 'session' },
  setKeyInForm: { method: 'POST', path: '/api/v3/session/set-key-in-form', access: 'session' },
  confirmPassword: { method: 'POST', path: '/api/v3/session/confirm-password', access: 'session' },
  login: { method: 'POST', path: '/api/v3/session/login', access: 'public' },
  createAccount: { method: 'POST', path: '/api/v3/session/create-account', access: 'public' },
  verifyEmail: { method: 'POST', path: '/api/v3/session/verify-email', access: 'public' },
  requestPasswordReset: { method: 'POST', path: '/api/v3/session/request-password-reset', access: 'public' },
  resetPassword: { method: 'POST', path: '/api/v3/session/reset-password', access: 'public' },
  logout: { method: 'POST', path: logoutPath, access: 'public' },
  deleteAccount: { method: 'DELETE', path: '/api/v3/session/delete-account', access: 'session' },
  setFavorites: { method: 'POST', path: '/api/v3/session/set-favorites', access: 'session' },
  getDeletedFiles: { method: 'GET', path: '/api/v3/session/get-deleted-files', access: 'session' },
  getUnfinishedUploads: { method: 'GET', path: '/api/v3/session/get-unfinished-uploads', access: 'session' },
  getFile: { method: 'GET', path: '/api/v3/session/get-file', access: 'session' },
  getActivity: { method: 'GET', path: '/api/v3/session/get-activity', access: 'session' },
  getEvictionPreview: { method: 'GET', path: '/api/v3/session/get-eviction-preview', access: 'session' },
  getInactiveFiles: { method: 'GET', path: '/api/v3/session/get-inactive-files', access: 'session' },
  getSubscription: { method: 'GET', path: '/api/v3/session/get-subscription', access: 'session' },
  getSessions: { method: 'GET', path: '/api/v3/session/get-sessions', access: 'session' },
  endSessions: { method: 'POST', path: '/api/v3/session/end-sessions', access: 'session' },
  getFirstSteps: { method: 'GET', path: '/api/v3/session/get-first-steps', access: 'session' },
  changeFirstSteps: { method: 'POST', path: '/api/v3/session/change-first-steps', access: 'session' },
  serverInfo: { method: 'GET', path: '/api/v3/session/server-info', access: 'public' },
  captchaChallenge: { method: 'GET', path: '/api/v3/session/captcha-challenge', access: 'public' },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;
