import * as z from 'zod/mini';
import {
  account,
  accountSettings,
  guessedTimezone,
  oneSetting,
  settingsOptions,
  signedInSession,
  subscription,
} from './account.ts';
import {
  activityEntry,
  activityQuery,
  deletionPreview,
  evicted,
  evictionQuery,
  inactiveFilesQuery,
} from './activity.ts';
import { type Call, type CallName, calls } from './calls.ts';
import { deletedFiles } from './deleted-files.ts';
import { filePage, filePageQuery } from './file-page.ts';
import { firstSteps, firstStepsChange } from './first-steps.ts';
import { file, fileList, fileListQuery, storedName } from './files.ts';
import { mostDeletedAtOnce } from './limits.ts';
import {
  changePasswordForm,
  code,
  anyOldPassword,
  email,
  existingPassword,
  forgotPasswordForm,
  newPasswordForm,
  signInForm,
  signUpForm,
} from './rules.ts';
import { unfinishedUpload } from './unfinished-uploads.ts';

export interface Endpoint extends Call {
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Bodies of a form and of bytes are streams: the handler reads them itself. */
  readonly bodyType?: 'json' | 'multipart' | 'bytes';
  /** In a form. */
  readonly mostFiles?: number;
  readonly reply: z.ZodMiniType;
}

const captchaToken = z.optional(z.string().check(z.maxLength(20_000)));
const message = z.object({ message: z.string() });
const nothing = z.object({});
const sessionId = z.string().check(z.minLength(1), z.maxLength(100));
const resetKey = z.string('The reset link is not complete.').check(z.minLength(1), z.maxLength(200));

const filesNeeded = "Invalid request body. Expected JSON object with 'files' array.";

const someFiles = z.object(
  {
    files: z
      .array(z.string(filesNeeded), filesNeeded)
      .check(z.maxLength(mostDeletedAtOnce, `'files' may hold ${mostDeletedAtOnce} names at most.`)),
  },
  filesNeeded,
);

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
    ...calls.upload,
    bodyType: 'multipart',
    reply: z.object({ url: z.string(), deletion_url: z.string(), evicted: z.optional(evicted) }),
  },
  getFileList: {
    ...calls.getFileList,
    query: fileListQuery,
    reply: fileList,
  },
  toggleFavorite: {
    ...calls.toggleFavorite,
    body: z.object({ file: storedName }),
    reply: z.object({ file_info: z.pick(file, { name: true, is_favorite: true }) }),
  },
  setFavorites: {
    ...calls.setFavorites,
    body: z.extend(someFiles, { is_favorite: z.boolean() }),
    reply: nothing,
  },
  deleteFiles: {
    ...calls.deleteFiles,
    body: someFiles,
    reply: z.object({ deleted: z.array(z.string()) }),
  },
  restoreFiles: {
    ...calls.restoreFiles,
    body: someFiles,
    reply: z.object({ restored: z.array(z.string()) }),
  },
  getAccountInfo: {
    ...calls.getAccountInfo,
    reply: z.object({ account }),
  },
  getAccountSettings: {
    ...calls.getAccountSettings,
    reply: z.object({
      account: z.object({ settings: accountSettings }),
      settings_options: z.optional(settingsOptions),
    }),
  },
  setAccountSettings: {
    ...calls.setAccountSettings,
    body: oneSetting,
    reply: nothing,
  },
  setTimezone: {
    ...calls.setTimezone,
    body: guessedTimezone,
    reply: z.object({ timezone_updated: z.boolean(), timezone: z.string() }),
  },
  changePassword: {
    ...calls.changePassword,
    // The form's minimum length for the old password is not checked here: the password is either right or wrong.
    body: z.extend(changePasswordForm, {
      old_password: anyOldPassword,
      captcha_token: captchaToken,
    }),
    reply: message,
  },
  confirmPassword: {
    ...calls.confirmPassword,
    body: z.object({ password: existingPassword }),
    reply: nothing,
  },
  changeApiKey: {
    ...calls.changeApiKey,
    reply: z.object({ account_info: z.object({ new_api_key: z.string() }) }),
  },
  setKeyInForm: {
    ...calls.setKeyInForm,
    body: z.object({ allowed: z.boolean("'allowed' must be true or false.") }),
    reply: nothing,
  },
  login: {
    ...calls.login,
    body: z.extend(signInForm, { captcha_token: captchaToken }),
    reply: nothing,
  },
  createAccount: {
    ...calls.createAccount,
    body: z.intersection(
      signUpForm,
      z.object({
        captcha_token: captchaToken,
        invitation: z.optional(z.string().check(z.maxLength(100))),
      }),
    ),
    /** With some invitations the account needs no code, and the browser is signed in at once. */
    reply: z.object({ signed_in: z.optional(z.literal(true)) }),
  },
  verifyEmail: {
    ...calls.verifyEmail,
    body: z.union([z.object({ code }), z.object({ resend_code_to: email })]),
    reply: message,
  },
  requestPasswordReset: {
    ...calls.requestPasswordReset,
    body: z.extend(forgotPasswordForm, { captcha_token: captchaToken }),
    reply: nothing,
  },
  resetPassword: {
    ...calls.resetPassword,
    body: z.intersection(newPasswordForm, z.object({ reset_key: resetKey })),
    reply: nothing,
  },
  logout: { ...calls.logout, reply: nothing },
  deleteAccount: {
    ...calls.deleteAccount,
    reply: z.object({ account_info: z.object({ email: z.string() }) }),
  },
  getDeletedFiles: { ...calls.getDeletedFiles, reply: deletedFiles },
  getUnfinishedUploads: { ...calls.getUnfinishedUploads, reply: z.object({ uploads: z.array(unfinishedUpload) }) },
  getFile: { ...calls.getFile, query: filePageQuery, reply: filePage },
  getActivity: {
    ...calls.getActivity,
    query: activityQuery,
    reply: z.object({
      activity: z.array(activityEntry),
      pagination: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
    }),
  },
  getEvictionPreview: {
    ...calls.getEvictionPreview,
    query: evictionQuery,
    reply: deletionPreview,
  },
  getInactiveFiles: {
    ...calls.getInactiveFiles,
    query: inactiveFilesQuery,
    reply: deletionPreview,
  },
  getSubscription: {
    ...calls.getSubscription,
    reply: z.object({ subscription: z.nullable(subscription) }),
  },
  getSessions: {
    ...calls.getSessions,
    reply: z.object({ sessions: z.array(signedInSession) }),
  },
  endSessions: {
    ...calls.endSessions,
    body: z.union([z.object({ session: sessionId }), z.object({ others: z.literal(true) })]),
    reply: z.object({ ended: z.int() }),
  },
  getFirstSteps: {
    ...calls.getFirstSteps,
    reply: z.object({ first_steps: z.nullable(firstSteps) }),
  },
  changeFirstSteps: {
    ...calls.changeFirstSteps,
    body: firstStepsChange,
    /** `email_problem`: why no email was sent, and the setting to look at. */
    reply: z.object({ first_steps: z.nullable(firstSteps), email_problem: z.optional(z.string()) }),
  },
  serverInfo: {
    ...calls.serverInfo,
    reply: z.object({ region: z.string() }),
  },
  captchaChallenge: {
    ...calls.captchaChallenge,
    query: z.object({ action: z.enum(captchaActions, `'action' must be one of ${captchaActions.join(', ')}`) }),
    reply: z.object({ captcha: captchaChallenge }),
  },
} as const satisfies Record<CallName, Endpoint>;

export type EndpointName = CallName;
export type QueryOf<E> = E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : undefined;
export type BodyOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : undefined;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
