/**
 * Every call of the API as data, in the order of the spec's section 7: method, path, who may call it,
 * what it takes and what it gives. Server routes, the client, the docs and the tests all read this.
 */
import * as z from 'zod/mini';
import { account, accountSettings, settingsOptions } from './account.ts';
import { file, fileList, fileListQuery, storedName } from './files.ts';
import { code, email, signInForm, signUpForm } from './rules.ts';

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

const filesToDelete = "Invalid request body. Expected JSON object with 'files' array.";

/** The session calls that a bot check guards (spec section 7). */
export const captchaActions = ['login', 'create_account', 'request_password_reset', 'change_password'] as const;
export type CaptchaAction = (typeof captchaActions)[number];

export const captchaChallenge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('altcha'), challenge: z.looseObject({}) }),
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
  logout: { method: 'POST', path: '/api/v3/session/logout', access: 'public', reply: nothing },
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
