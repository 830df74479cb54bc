/**
 * Every call of the API as data, in the order of the spec's section 7: method, path, who may call it,
 * what it takes and what it gives. Server routes, the client, the docs and the tests all read this.
 */
import * as z from 'zod/mini';
import { account, accountSettings, guessedTimezone, oneSetting, settingsOptions, signedInSession } from './account.ts';
import { file, fileList, fileListQuery, storedName } from './files.ts';
import {
  changePasswordForm,
  code,
  anyOldPassword,
  email,
  forgotPasswordForm,
  newPasswordForm,
  signInForm,
  signUpForm,
} from './rules.ts';

/** Everything below it belongs to the API, whether the contract names it or not. */
export const apiRoot = '/api';

export type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Who may call: `public` needs nobody, `session` needs a signed-in browser and never takes a key,
 * `account` takes a session or an API key, and the key alone decides where both are sent.
 */
export type Access = 'public' | 'session' | 'account';

export interface Endpoint {
  readonly method: Method;
  readonly path: `/api/v3/${string}`;
  readonly access: Access;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** `multipart` bodies are streams: the handler reads them itself. */
  readonly bodyType?: 'json' | 'multipart';
  /** The answer of a success, beside `success: true`. */
  readonly reply: z.ZodMiniType;
  /** Paths that published clients of this API use for the same call. */
  readonly aliases?: readonly `/api/v3/${string}`[];
}

const captchaToken = z.optional(z.string().check(z.maxLength(20_000)));
const message = z.object({ message: z.string() });
const nothing = z.object({});
const resetKey = z.string('The reset link is not complete.').check(z.minLength(1), z.maxLength(200));

const filesToDelete = "Invalid request body. Expected JSON object with 'files' array.";

/** The session calls that a bot check guards (spec section 7). */
export const captchaActions = ['login', 'create_account', 'request_password_reset', 'change_password'] as const;
export type CaptchaAction = (typeof captchaActions)[number];

export const captchaChallenge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('altcha'), challenge: z.looseObject({}) }),
  z.object({ kind: z.literal('recaptcha'), site_key: z.string() }),
]);
export type CaptchaChallenge = z.infer<typeof captchaChallenge>;

export const endpoints = {
  upload: {
    method: 'POST',
    path: '/api/v3/upload',
    aliases: ['/api/v3/upload.php'],
    access: 'account',
    bodyType: 'multipart',
    reply: z.object({ url: z.string() }),
  },
  getFileList: {
    method: 'GET',
    path: '/api/v3/rest/get-file-list',
    access: 'account',
    query: fileListQuery,
    reply: fileList,
  },
  toggleFavorite: {
    method: 'POST',
    path: '/api/v3/rest/toggle-favorite',
    access: 'account',
    body: z.object({ file: storedName }),
    reply: z.object({ file_info: z.pick(file, { name: true, is_favorite: true }) }),
  },
  deleteFiles: {
    method: 'DELETE',
    path: '/api/v3/rest/delete-files',
    access: 'account',
    body: z.object(
      {
        files: z
          .array(z.string(filesToDelete), filesToDelete)
          .check(z.maxLength(500, "'files' may hold 500 names at most.")),
      },
      filesToDelete,
    ),
    reply: z.object({ deleted: z.array(z.string()) }),
  },
  getAccountInfo: {
    method: 'GET',
    path: '/api/v3/rest/get-account-info',
    access: 'account',
    reply: z.object({ account }),
  },
  getAccountSettings: {
    method: 'GET',
    path: '/api/v3/rest/get-account-settings',
    access: 'account',
    reply: z.object({
      account: z.object({ settings: accountSettings }),
      settings_options: z.optional(settingsOptions),
    }),
  },
  setAccountSettings: {
    method: 'POST',
    path: '/api/v3/session/set-account-settings',
    access: 'session',
    body: oneSetting,
    reply: nothing,
  },
  setTimezone: {
    method: 'POST',
    path: '/api/v3/session/set-timezone',
    access: 'session',
    body: guessedTimezone,
    reply: z.object({ timezone_updated: z.boolean(), timezone: z.string() }),
  },
  changePassword: {
    method: 'POST',
    path: '/api/v3/session/change-password',
    access: 'session',
    // The form's minimum for the old password is not ours to judge: it is right or wrong (decisions section 3).
    body: z.extend(changePasswordForm, { old_password: anyOldPassword, captcha_token: captchaToken }),
    reply: message,
  },
  changeApiKey: {
    method: 'POST',
    path: '/api/v3/session/change-api-key',
    access: 'session',
    reply: z.object({ account_info: z.object({ new_api_key: z.string() }) }),
  },
  login: {
    method: 'POST',
    path: '/api/v3/session/login',
    access: 'public',
    body: z.extend(signInForm, { captcha_token: captchaToken }),
    reply: nothing,
  },
  createAccount: {
    method: 'POST',
    path: '/api/v3/session/create-account',
    access: 'public',
    body: z.intersection(signUpForm, z.object({ captcha_token: captchaToken })),
    reply: nothing,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/v3/session/verify-email',
    access: 'public',
    body: z.union([z.object({ code, email: z.optional(email) }), z.object({ resend_code_to: email })]),
    reply: message,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/api/v3/session/request-password-reset',
    access: 'public',
    body: z.extend(forgotPasswordForm, { captcha_token: captchaToken }),
    reply: nothing,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/v3/session/reset-password',
    access: 'public',
    body: z.intersection(newPasswordForm, z.object({ reset_key: resetKey })),
    reply: nothing,
  },
  logout: { method: 'POST', path: '/api/v3/session/logout', access: 'public', reply: nothing },
  deleteAccount: {
    method: 'DELETE',
    path: '/api/v3/session/delete-account',
    access: 'session',
    reply: z.object({ account_info: z.object({ email: z.string() }) }),
  },
  /** Beyond the spec: what users expect to find under Security. */
  getSessions: {
    method: 'GET',
    path: '/api/v3/session/get-sessions',
    access: 'session',
    reply: z.object({ sessions: z.array(signedInSession) }),
  },
  endSessions: {
    method: 'POST',
    path: '/api/v3/session/end-sessions',
    access: 'session',
    /** One session by its id, or all but the one that asks. */
    body: z.union([z.object({ session: z.string().check(z.maxLength(100)) }), z.object({ others: z.literal(true) })]),
    reply: z.object({ ended: z.int() }),
  },
  serverInfo: {
    method: 'GET',
    path: '/api/v3/session/server-info',
    access: 'public',
    reply: z.object({ region: z.string() }),
  },
  captchaChallenge: {
    method: 'GET',
    path: '/api/v3/session/captcha-challenge',
    access: 'public',
    query: z.object({ action: z.enum(captchaActions, `'action' must be one of ${captchaActions.join(', ')}`) }),
    reply: z.object({ captcha: captchaChallenge }),
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export type QueryOf<E> = E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : undefined;
export type BodyOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : undefined;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
