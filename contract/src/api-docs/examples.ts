import { failureToReply } from '../envelope.ts';
import { Failure } from '../errors.ts';
import type { KeyCall } from './call-texts.ts';

export const exampleFile = {
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  original_name: 'hello.txt',
  extension: 'txt',
  name: 'q7Rt2mXa',
  size: 5,
  content_type: 'text/plain; charset=utf-8',
  hits: 3,
  last_accessed: '2025-09-12T08:30:00.000Z',
  time_added: '2025-09-11T17:04:12.000Z',
  is_favorite: false,
  is_pending_scan: false,
} as const;

const exampleUrl = 'https://files.example.com/file/q7Rt2mXa.txt';
const usage = { space_used: 5, slots_used: 1 };
const limits = {
  max_file_size: 100_000_000,
  space_quota: 500_000_000,
  slots_quota: 500,
  max_file_download_speed: 4,
};

export const exampleReplies: Readonly<Record<KeyCall, object>> = {
  upload: {
    success: true,
    url: exampleUrl,
    deletion_url: 'https://example.com/delete/q7Rt2mXa/…',
  },
  getFileList: {
    success: true,
    files: [exampleFile],
    file_list: [exampleFile],
    show_file_extensions: true,
    preferred_domain: 'files.example.com',
    sorting: { column: 'upload_time', direction: 'desc' },
    sorting_options: {
      columns: ['upload_time', 'name', 'favorite', 'size', 'hits', 'access_time', 'file_extension'],
      directions: ['asc', 'desc'],
    },
    pagination: { page: 1, limit: 10, total_files: 1 },
    account_usage: usage,
    account_limits: limits,
  },
  toggleFavorite: { success: true, file_info: { name: 'q7Rt2mXa', is_favorite: true } },
  deleteFiles: { success: true, deleted: ['q7Rt2mXa'] },
  restoreFiles: { success: true, restored: ['q7Rt2mXa'] },
  getAccountInfo: {
    success: true,
    account: {
      info: {
        level: 'Free',
        name: 'ada',
        email: 'ada@example.com',
        time_created: '2025-09-11T17:00:00.000Z',
        api_key: 'hf_…',
      },
      limits,
      usage,
    },
  },
  getAccountSettings: {
    success: true,
    account: {
      settings: {
        timezone_auto: true,
        timezone: 'Europe/Lisbon',
        return_file_extension: true,
        continuous_uploading: false,
        inactivity_auto_delete_days: 0,
        preferred_domain: 'files.example.com',
        preferred_filename_length: 8,
      },
    },
  },
};

/** The response to a batch. */
export const exampleLines = [
  { index: 0, success: true, url: exampleUrl },
  { index: 1, ...failureToReply(new Failure('UPLOAD_DIGEST_MISMATCH'), false) },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
