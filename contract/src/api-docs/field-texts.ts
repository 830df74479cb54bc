/** Descriptions of each field of requests and responses, for the docs. A test compares them with the schemas. */
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
  column: 'What to sort by.',
  direction: 'Whether the list ascends or descends.',
  page: 'Which page, from 1.',
  limit: 'How many files a page has.',
  search:
    'Words, at most 10, that all stand in a file’s original name, stored name or extension, in any case of their letters. `pagination.total_files` counts what is found.',
} as const;

export const headerTexts = {
  [uploadKeyHeader]: 'The same text with each try of one upload, and a new one for each file.',
} as const;

export const bodyTexts = {
  upload: {
    file: 'The file, with its name.',
    sha_256: 'The SHA-256 of the file in hexadecimal digits, before or after it.',
  },
  toggleFavorite: { file: 'The stored name of the file, without an extension.' },
  deleteFiles: { files: 'Stored names without extensions.' },
} as const;

/** Field texts of the objects in responses, by their names in the OpenAPI document. */
export const schemaTexts = {
  StoredFile: {
    sha256: 'SHA-256 of the bytes, 64 lower-case hexadecimal digits.',
    original_name: 'The name it was uploaded with.',
    extension: 'Lower case, without a dot; empty where the original name has none.',
    name: 'The stored name, which no other file ever has; without an extension.',
    size: 'Bytes.',
    content_type: 'The MIME type.',
    hits: 'How often it was downloaded.',
    last_accessed: 'When a part of it was last downloaded or it was last found unchanged; `null` means never.',
    time_added: 'When it was uploaded.',
    is_favorite: 'Whether you marked it.',
    is_pending_scan: 'Whether it is still to be checked for malware. Its link answers 503 until it is.',
  } satisfies Texts<StoredFile>,
  AccountUsage: {
    space_used: 'Bytes of all your files.',
    slots_used: 'How many files you have.',
  } satisfies Texts<AccountUsage>,
  AccountLimits: {
    max_file_size: 'Bytes that one file may have.',
    space_quota: 'Bytes that all files together may have.',
    slots_quota: 'How many files there may be.',
    max_file_download_speed: 'Megabits per second; 1000 means unlimited.',
  } satisfies Texts<AccountLimits>,
  AccountInfo: {
    level: 'Your plan.',
    name: 'What stands before the `@` of your email address.',
    email: 'Your email address.',
    time_created: 'When the account was made.',
    api_key: 'Your API key. Empty where the service can no longer show it.',
  } satisfies Texts<AccountInfo>,
  Account: {
    info: 'Who you are.',
    limits: 'What your plan allows.',
    usage: 'What you use.',
  } satisfies Texts<Account>,
  AccountSettings: {
    timezone_auto: 'Whether the time zone follows the browser.',
    timezone: 'IANA name of the time zone.',
    return_file_extension: 'Whether links have the file’s extension.',
    continuous_uploading: 'Whether the oldest files go when the account is full; favorites stay.',
    inactivity_auto_delete_days: 'After how many days without activity a file goes; 0 is off, favorites stay.',
    preferred_domain: 'The host that your links are made for.',
    preferred_filename_length: 'How many characters new stored names have.',
  } satisfies Texts<AccountSettings>,
  SettingsOptions: {
    timezone_auto_options: 'What `timezone_auto` may be.',
    timezone_options: 'What `timezone` may be.',
    return_file_extension_options: 'What `return_file_extension` may be.',
    continuous_uploading_options: 'What `continuous_uploading` may be.',
    inactivity_auto_delete_days_options: 'The least and the most days.',
    preferred_domain_options: 'What `preferred_domain` may be.',
    preferred_filename_length_options: 'The least and the most characters.',
  } satisfies Texts<SettingsOptions>,
} as const;

/** Fields of each response, by call; nested names are joined by dots. */
export const replyTexts = {
  upload: { url: 'The public link of the file.' },
  getFileList: {
    files: 'The files of this page.',
    show_file_extensions: 'Whether links have the file’s extension, as you set it.',
    preferred_domain: 'The host that links are made for.',
    sorting: 'What the list is sorted by.',
    sorting_options: 'What it can be sorted by.',
    pagination: 'Where this page stands.',
    account_usage: 'What you use.',
    account_limits: 'What your plan allows.',
    'sorting.column': 'The column.',
    'sorting.direction': 'The direction.',
    'sorting_options.columns': 'Every column.',
    'sorting_options.directions': 'Both directions.',
    'pagination.page': 'The page that this is.',
    'pagination.limit': 'How many files a page has.',
    'pagination.total_files': 'How many files all pages have together.',
  } satisfies Texts<FileList> & Readonly<Record<string, string>>,
  toggleFavorite: {
    file_info: 'The file and what it is now.',
    'file_info.name': 'Its stored name.',
    'file_info.is_favorite': 'Whether it is a favorite now.',
  },
  deleteFiles: { deleted: 'The stored names that this call deleted.' },
  getAccountInfo: { account: 'Your account.' },
  getAccountSettings: {
    account: 'Your account.',
    'account.settings': 'Your settings.',
    settings_options: 'What each setting may be. Only a session of the web app gets it, never a key.',
  },
} as const;
