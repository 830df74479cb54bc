import type {
  Account,
  AccountInfo,
  AccountLimits,
  AccountSettings,
  AccountUsage,
  SettingsOptions,
} from '../account.ts';
import { uploadKeyHeader } from '../calls.ts';
import type { FileList, StoredFile } from '../files.ts';

type Texts<T> = Readonly<Record<keyof T & string, string>>;

export const queryTexts = {
  column: 'The column to sort by.',
  direction: 'The sort direction.',
  page: 'The page number, from 1.',
  limit: 'The number of files per page.',
  search:
    'At most 64 characters and 10 words. A file matches if each of them occurs in its original name, stored name or extension, ignoring case. `pagination.total_files` counts the matches.',
  favorites: '`true` lists favorites only.',
} as const;

export const headerTexts = {
  [uploadKeyHeader]: 'Same value for retries of one upload, a new one for each file.',
} as const;

export const bodyTexts = {
  upload: {
    file: 'The file, with its name.',
    sha_256: 'The SHA-256 of the file in hexadecimal digits, before or after it.',
    api_key:
      'Your API key, before the file, for programs that cannot send a header. Not accepted unless you allow it on the Account Info page.',
    sha_1: 'The SHA-1 of the file in hexadecimal digits, before or after it.',
  },
  toggleFavorite: { file: 'The stored name of the file, without an extension.' },
  deleteFiles: { files: 'Stored names without extensions.' },
  restoreFiles: { files: 'Stored names without extensions.' },
} as const;

export const schemaTexts = {
  StoredFile: {
    sha256: 'SHA-256 of the bytes, 64 lower-case hexadecimal digits.',
    original_name: 'The name it was uploaded with.',
    extension: 'In lower case, without a dot; empty if the original name has none.',
    name: 'The stored name, unique and never reused; without an extension.',
    size: 'Bytes.',
    content_type: 'The MIME type.',
    hits: 'Number of downloads.',
    last_accessed:
      'Time of the last download (200, 206), preview in a chat, or revalidation (304); `null` means never.',
    time_added: 'Time of the upload.',
    is_favorite: 'Whether you marked it.',
    is_pending_scan: 'Whether the malware scan is pending. Until it is done, the link returns 503.',
  } satisfies Texts<StoredFile>,
  AccountUsage: {
    space_used: 'Bytes of all your files.',
    slots_used: 'Number of your files.',
  } satisfies Texts<AccountUsage>,
  AccountLimits: {
    max_file_size: 'Maximum size of a file, in bytes; 9007199254740991 means unlimited.',
    space_quota: 'Maximum size of all files together, in bytes; 9007199254740991 means unlimited.',
    slots_quota: 'Maximum number of files; 9007199254740991 means unlimited.',
    max_file_download_speed: 'Megabits per second; 1000 means unlimited.',
  } satisfies Texts<AccountLimits>,
  AccountInfo: {
    level: 'Your plan.',
    name: 'The part of your email address before the `@`.',
    email: 'Your email address.',
    time_created: 'Time at which the account was created.',
    api_key: 'Your API key; empty if the server can no longer decrypt it.',
  } satisfies Texts<AccountInfo>,
  Account: {
    info: 'Plan, name, email address and API key of the account.',
    limits: 'The limits of your plan.',
    usage: 'Your current usage.',
    key_in_form: 'Whether uploads may carry the key in their form, for sessions of the web app only.',
    key_last_used: 'When the key was last used; `null` means never. For sessions of the web app only.',
    id: 'Names the account in the address of a payment, for sessions of the web app only.',
    first_steps: 'There is a first-run list, for sessions of the web app only.',
  } satisfies Texts<Account>,
  AccountSettings: {
    timezone_auto: 'Whether the time zone follows the browser.',
    timezone: 'IANA name of the time zone.',
    return_file_extension: 'Whether links have the file’s extension.',
    continuous_uploading: 'Whether the oldest files are evicted when the account is full. Favorites are kept.',
    inactivity_auto_delete_days: 'Days without an access after which a file is deleted; 0 is off. Favorites are kept.',
    preferred_domain: 'The host of your links.',
    preferred_filename_length: 'Length of new stored names, in characters.',
  } satisfies Texts<AccountSettings>,
  SettingsOptions: {
    timezone_auto_options: 'Allowed values of `timezone_auto`.',
    timezone_options: 'Allowed values of `timezone`.',
    return_file_extension_options: 'Allowed values of `return_file_extension`.',
    continuous_uploading_options: 'Allowed values of `continuous_uploading`.',
    inactivity_auto_delete_days_options: 'The minimum and maximum number of days.',
    preferred_domain_options: 'Allowed values of `preferred_domain`.',
    preferred_filename_length_options: 'The minimum and maximum number of characters.',
  } satisfies Texts<SettingsOptions>,
} as const;

/** Fields of each response, by call; nested names are joined by dots. */
export const replyTexts = {
  upload: {
    url: 'The public link of the file.',
    deletion_url: 'A page with a button that deletes the file, for anyone who has the address.',
    evicted: 'What Continuous Uploading deleted for it; absent if nothing.',
    'evicted.total': 'Number of deleted files.',
    'evicted.size': 'Bytes of all of them.',
    'evicted.names': 'Original names of the oldest ones, at most 10.',
  },
  getFileList: {
    files: 'The files of this page.',
    file_list: 'The same files again, for clients that read them under this name.',
    show_file_extensions: 'Whether links have the file’s extension, as you set it.',
    preferred_domain: 'The host of links.',
    sorting: 'The sort order of the list.',
    sorting_options: 'The available sort orders.',
    pagination: 'The position of this page in the list.',
    account_usage: 'Your current usage.',
    account_limits: 'The limits of your plan.',
    'sorting.column': 'The column.',
    'sorting.direction': 'The direction.',
    'sorting_options.columns': 'Every column.',
    'sorting_options.directions': 'Both directions.',
    'pagination.page': 'The number of this page.',
    'pagination.limit': 'The number of files per page.',
    'pagination.total_files': 'The number of files on all pages together.',
  } satisfies Texts<FileList> & Readonly<Record<string, string>>,
  toggleFavorite: {
    file_info: 'The file and its new state.',
    'file_info.name': 'Its stored name.',
    'file_info.is_favorite': 'Whether it is a favorite now.',
  },
  deleteFiles: { deleted: 'The stored names that this call deleted.' },
  restoreFiles: { restored: 'The stored names that this call restored.' },
  getAccountInfo: { account: 'Your account.' },
  getAccountSettings: {
    account: 'Your account.',
    'account.settings': 'Your settings.',
    settings_options: 'Allowed values of each setting, for sessions of the web app only.',
  },
} as const;
